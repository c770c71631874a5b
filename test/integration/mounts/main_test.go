package mounts_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/test/world"
)

var (
	shared  *world.World  // of all tests
	running *world.Engine // in shared, for both APIs of Workspaces
)

func TestMain(m *testing.M) {
	os.Exit(world.Run(m, world.Part{Into: &shared, Config: cluster.Config{Audit: true}, Prepare: prepare}))
}

// prepare installs the kinds of the tests and starts the engine.
func prepare(ctx context.Context, w *world.World) error {
	for _, file := range []string{"testdata/kcp.yaml", "testdata/kinds.yaml"} {
		documents, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("reading the kinds of the tests: %w", err)
		}
		if _, err := w.Apply(ctx, "", string(documents)); err != nil {
			return err
		}
	}
	var err error
	running, err = w.StartEngine(ctx, bothAPIs)
	return err
}

// withoutEngine stops the engine until the end of a test that has others.
func withoutEngine(t *testing.T) {
	t.Helper()
	running.MustStop(t)
	t.Cleanup(func() {
		var err error
		if running, err = shared.StartEngine(context.Background(), bothAPIs); err != nil {
			t.Error(err)
		}
	})
}

func bothAPIs(o *engine.Options) {
	o.WorkspaceAPIs = []string{"plait.run/v1alpha1", "tenancy.kcp.io/v1alpha1"}
}
