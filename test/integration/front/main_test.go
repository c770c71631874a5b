package front_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

var (
	shared  *world.World
	program string // the built binary, by the name of a kubectl plugin
)

func TestMain(m *testing.M) {
	os.Exit(world.Run(m, world.Part{Into: &shared, Config: cluster.Config{Pods: true}, Prepare: prepare}))
}

// prepare builds the program, starts an engine and serves the groups of the tests.
func prepare(ctx context.Context, w *world.World) error {
	dir, err := os.MkdirTemp("", "front")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	w.BeforeStop(func() error { return os.RemoveAll(dir) })
	built, err := world.Build(dir)
	if err != nil {
		return err
	}
	program = filepath.Join(dir, "kubectl-plait")
	if err := os.Rename(built, program); err != nil {
		return fmt.Errorf("naming the program: %w", err)
	}
	if _, err := w.StartEngine(ctx); err != nil {
		return err
	}
	for _, file := range []string{"site.yaml", "report.yaml"} {
		if err := apply(ctx, w, filepath.Join("testdata", file)); err != nil {
			return err
		}
	}
	return nil
}

func apply(ctx context.Context, w *world.World, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading %q: %w", file, err)
	}
	_, err = w.Apply(ctx, "", string(text))
	return err
}

// plait runs the program against the cluster and gives its output and status.
func plait(t *testing.T, args ...string) (stdout string, status int) {
	t.Helper()
	return plaitAs(t, shared.KubeconfigPath(), args...)
}

func plaitAs(t *testing.T, kubeconfig string, args ...string) (stdout string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("running plait %s: %v", strings.Join(args, " "), err)
	}
	if errs.Len() > 0 {
		t.Logf("plait %s: %s", strings.Join(args, " "), errs.String())
	}
	return out.String(), cmd.ProcessState.ExitCode()
}
