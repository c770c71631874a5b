package instance_test

import (
	"strings"
	"testing"

	"github.com/plait-run/plait/api/config"
	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/test/world"
)

// space is a namespace of a test's own.
type space struct {
	*world.Space
	t *testing.T
}

func newWorld(t *testing.T) *space {
	t.Helper()
	return newWorldIn(t, strings.ToLower(t.Name()))
}

// newWorldIn makes a space in which nothing is left when the test ends.
func newWorldIn(t *testing.T, namespace string) *space {
	t.Helper()
	w := &space{Space: shared.Space(t, namespace), t: t}
	for _, file := range config.CRDs() {
		w.Apply(string(file.YAML))
	}
	w.SweepAtEnd("test.example.com")
	return w
}

// in gives another namespace.
func (w *space) in(namespace string) *world.Space { return w.Space.World.Space(w.t, namespace) }

// asNobody is an engine that needs service accounts, without the policy that has groups name them.
func asNobody(o *engine.Options) { o.ActAsSelf, o.InstallCRDs = false, false }
