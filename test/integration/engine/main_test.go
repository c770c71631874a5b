package engine_test

import (
	"os"
	"testing"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

// shared is the world of all tests but those that break theirs.
var shared *world.World

func TestMain(m *testing.M) {
	os.Exit(world.Run(m, world.Part{Into: &shared, Config: cluster.Config{Audit: true}}))
}
