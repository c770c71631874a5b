package sync_test

import (
	"context"
	"os"
	"testing"

	"github.com/plait-run/plait/api/config"
	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

var consumer, acme, other *world.World

func TestMain(m *testing.M) {
	audited := cluster.Config{Audit: true}
	os.Exit(world.Run(m,
		world.Part{Into: &consumer, Config: audited, Prepare: installOwn},
		world.Part{Into: &acme, Config: audited}, world.Part{Into: &other, Config: audited},
	))
}

func installOwn(ctx context.Context, w *world.World) error {
	for _, file := range config.CRDs() {
		if _, err := w.Apply(ctx, "", string(file.YAML)); err != nil {
			return err
		}
	}
	return nil
}
