package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// AssetsEnv names the environment variable that holds the folder of the
// binaries; controller-runtime's envtest reads the same one.
const AssetsEnv = "KUBEBUILDER_ASSETS"

const (
	modulePath   = "github.com/plait-run/plait"
	buildCommand = "make controlplane"
)

var errNoAssets = errors.New("no folder with the binaries of a control plane")

// FindAssets returns the folder with the binaries of a control plane: the one
// that AssetsEnv names; else bin/k8s of the source tree that the working
// directory is in; else the folder k8s beside the running program.
func FindAssets() (string, error) {
	if dir := os.Getenv(AssetsEnv); dir != "" {
		return filepath.Abs(dir)
	}
	for _, dir := range []string{sourceAssets(), programAssets()} {
		if dir != "" && isProgram(filepath.Join(dir, apiServer)) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("%w: run %q in the source tree, or set %s", errNoAssets, buildCommand, AssetsEnv)
}

// sourceAssets returns bin/k8s of the module that the working directory is in,
// or nothing.
func sourceAssets() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), "module "+modulePath+"\n") {
			return filepath.Join(dir, "bin", "k8s")
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// programAssets returns the folder k8s beside the running program, or nothing.
func programAssets() string {
	program, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Join(filepath.Dir(program), "k8s")
}

// checkAssets returns the absolute path of the folder given, or of the one that
// is found, once all binaries are known to be in it.
func checkAssets(dir string, binaries []string) (string, error) {
	if dir == "" {
		found, err := FindAssets()
		if err != nil {
			return "", err
		}
		dir = found
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding the binaries: %w", err)
	}
	var missing []string
	for _, name := range binaries {
		if !isProgram(filepath.Join(dir, name)) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return "", fmt.Errorf("%w: %q lacks %s: run %q", errNoAssets, dir, strings.Join(missing, ", "), buildCommand)
	}
	return dir, nil
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
