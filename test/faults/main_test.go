package main

import (
	"context"
	"os"
	"testing"

	"github.com/plait-run/plait/test/world"
)

// shared is the rig of all tests, which run one after the other.
var shared *rig

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "faults-*")
	if err != nil {
		fail(err)
	}
	var in, provider *world.World
	code := world.Run(m, world.Part{Into: &provider}, world.Part{Into: &in, Config: faultsConfig, Prepare: func(ctx context.Context, w *world.World) error {
		program, err := world.Build(dir)
		if err != nil {
			return err
		}
		shared, err = newRig(ctx, w, provider, program)
		return err
	}})
	_ = os.RemoveAll(dir)
	os.Exit(code)
}
