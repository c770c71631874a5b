package identity_test

import (
	"context"
	"os"
	"testing"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/test/world"
)

var (
	shared  *world.World  // of all tests, each with namespaces and kinds of its own
	running *world.Engine // of all tests; those that replace it, or count what it does, are alone
)

func TestMain(m *testing.M) {
	os.Exit(world.Run(m, world.Part{Into: &shared, Config: cluster.Config{ControllerManager: true}, Prepare: prepare}))
}

// prepare gives the engine the rights that the documents ask for, and nothing more, and starts it.
func prepare(ctx context.Context, w *world.World) (err error) {
	if err := w.GrantEngine(ctx); err != nil {
		return err
	}
	running, err = w.StartEngine(ctx, func(o *engine.Options) { o.LeaderElect = true })
	return err
}
