package cluster

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// processAttributes has the kernel end a process when the thread that started
// it ends, and puts it out of reach of the terminal's Ctrl-C, so that the
// caller decides on the order in which processes stop.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// reserve binds a loopback port without listening on it: the one given, or a
// free one for 0. Until release is called no other program is given the port;
// a component gets it through its flag for sharing ports.
func reserve(port int) (reserved int, release func(), err error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, fmt.Errorf("reserving a port: %w", err)
	}
	release = func() { _ = unix.Close(fd) }
	if reserved, err = bind(fd, port); err != nil {
		release()
		return 0, nil, fmt.Errorf("reserving port %d: %w", port, err)
	}
	return reserved, release, nil
}

// bind takes the port alone, and only then allows it to be shared: the other way
// round it would join a port that someone else shares. A port given may have
// connections of an earlier API server that the kernel has not forgotten yet.
func bind(fd, port int) (int, error) {
	forget := 0
	if port != 0 {
		forget = 1
	}
	if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, forget); err != nil {
		return 0, err
	}
	if err := unix.Bind(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return 0, err
	}
	if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 0); err != nil {
		return 0, err
	}
	if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1); err != nil {
		return 0, err
	}
	name, err := unix.Getsockname(fd)
	if err != nil {
		return 0, err
	}
	address, ok := name.(*unix.SockaddrInet4)
	if !ok {
		return 0, fmt.Errorf("unexpected address %v", name)
	}
	return address.Port, nil
}

// errInUse says that another process holds the lock of a folder.
var errInUse = errors.New("another process runs a cluster there: end it first, or name another folder (--dir of plait dev)")

// lockFile takes the lock that the file stands for, or fails at once when
// another process has it. The lock goes with the process.
func lockFile(path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errInUse
		}
		return nil, err
	}
	return func() { _ = file.Close() }, nil
}
