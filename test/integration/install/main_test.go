package install_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

var shared *world.World

func TestMain(m *testing.M) {
	os.Exit(world.Run(m, world.Part{Into: &shared, Config: cluster.Config{ControllerManager: true, Pods: true}, Prepare: install}))
}

// install does what the guide says, but for the name of the image.
func install(_ context.Context, w *world.World) error {
	said, err := kubectl(world.InTree(), "apply", "--server-side", "-k", "deploy/kustomize", "--kubeconfig", w.KubeconfigPath())
	if err != nil {
		return fmt.Errorf("applying the kustomization: %w\n%s", err, said)
	}
	return nil
}
