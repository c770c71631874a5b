//go:build !linux

package cluster

import (
	"fmt"
	"net"
	"syscall"
)

// processAttributes asks for nothing: a process that its caller does not stop
// stays.
func processAttributes() *syscall.SysProcAttr {
	return nil
}

// reserve finds a free loopback port, or checks the one given. Nothing keeps
// others from taking it meanwhile.
func reserve(port int) (reserved int, release func(), err error) {
	listener, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return 0, nil, fmt.Errorf("reserving port %d: %w", port, err)
	}
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return 0, nil, fmt.Errorf("unexpected address %v", listener.Addr())
	}
	return address.Port, func() {}, listener.Close()
}

// lockFile locks nothing.
func lockFile(string) (unlock func(), err error) {
	return func() {}, nil
}
