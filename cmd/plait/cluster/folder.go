package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// folder is where a cluster keeps everything, and where in it what is.
type folder struct {
	path string
	// temporary folders are removed with the cluster.
	temporary bool
	// unlock lets another process use the folder.
	unlock func()
}

// openFolder makes the folder where it does not exist, or a temporary one when
// no path is given, and keeps every other process from using it.
func openFolder(path string) (*folder, error) {
	f := &folder{path: path, temporary: path == "", unlock: func() {}}
	if f.temporary {
		made, err := os.MkdirTemp("", "plait-cluster-")
		if err != nil {
			return nil, fmt.Errorf("making a folder for the cluster: %w", err)
		}
		f.path = made
	}
	absolute, err := filepath.Abs(f.path)
	if err != nil {
		return nil, fmt.Errorf("making the folder of the cluster: %w", err)
	}
	f.path = absolute
	for _, dir := range []string{f.path, f.in("pki"), f.in("logs"), f.in("kubeconfigs")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("making the folder of the cluster: %w", err)
		}
	}
	f.unlock, err = lockFile(f.in("lock"))
	if err != nil {
		return nil, fmt.Errorf("locking the folder %q of the cluster: %w", f.path, err)
	}
	return f, nil
}

// in returns the path of something in the folder.
func (f *folder) in(elements ...string) string {
	return filepath.Join(append([]string{f.path}, elements...)...)
}

// log returns the path of what a component printed since the last Start.
func (f *folder) log(component string) string {
	return f.in("logs", component+".log")
}

// port returns the API server's port of the last time, 0 when there was none.
func (f *folder) port() int {
	data, err := os.ReadFile(f.in("port"))
	if err != nil {
		return 0
	}
	port, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return 0
	}
	return port
}

// setPort keeps the API server's port for the next time.
func (f *folder) setPort(port int) error {
	return os.WriteFile(f.in("port"), []byte(strconv.Itoa(port)+"\n"), 0o600)
}

// close gives the folder up, and removes it when it was temporary.
func (f *folder) close() error {
	f.unlock()
	if !f.temporary {
		return nil
	}
	return os.RemoveAll(f.path)
}
