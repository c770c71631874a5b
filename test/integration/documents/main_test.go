package documents_test

import (
	"os"
	"testing"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

var shared *world.World

func TestMain(m *testing.M) {
	os.Exit(world.Run(m, world.Part{Into: &shared, Config: cluster.Config{ControllerManager: true, Pods: true}}))
}

// TestDocuments follows the pages one after the other, as they share the cluster.
func TestDocuments(t *testing.T) {
	shared.RunEngine(t)
	r := newReader(t)
	t.Run("tutorial", func(t *testing.T) { testTutorial(t, r) })
	t.Run("YAML", func(t *testing.T) { testYAML(t, r) })
	for _, s := range sessions {
		t.Run(s.page+" "+s.first, func(t *testing.T) { s.follow(t, r) })
	}
}
