package install_test

import (
	"context"
	"os"
	"testing"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

var shared *world.World

func TestMain(m *testing.M) {
	os.Exit(world.Run(m, world.Part{Into: &shared, Config: cluster.Config{ControllerManager: true, Pods: true}, Prepare: install}))
}

// install applies the kustomization as it is.
func install(ctx context.Context, w *world.World) error {
	for _, file := range []string{"namespace.yaml", "crds.yaml", "plait.yaml"} {
		documents, err := os.ReadFile(world.InTree("deploy", "kustomize", "base", file))
		if err != nil {
			return err
		}
		if _, err := w.Apply(ctx, "", string(documents)); err != nil {
			return err
		}
	}
	return nil
}
