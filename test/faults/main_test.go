package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// shared is the world of all tests, which run one after the other.
var shared *world

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	log.SetLogger(logr.Discard())
	dir, err := os.MkdirTemp("", "faults-*")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "plait")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/plait").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("building the engine: %w\n%s", err, out)
	}
	if shared, err = newWorld(context.Background(), program); err != nil {
		return 1, err
	}
	code = m.Run()
	return code, shared.stop()
}
