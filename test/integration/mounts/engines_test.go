package mounts_test

import (
	"fmt"
	"testing"

	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/test/world"
)

// TestTwoEngines has one of two engines lead: every write happens once, and when it is killed the other one takes over.
func TestTwoEngines(t *testing.T) {
	s := newScene(t, plait, "leader")
	s.cluster("a", `{"phase":"Broken"}`)
	w := s.mount(s.ref("a"))
	s.says(w, "Unavailable False/MountObjectNotReady", "")
	program, err := world.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	one, err := shared.NewProcess(program, "--leader-elect=true", "--namespace=leader")
	if err != nil {
		t.Fatal(err)
	}
	withoutEngine(t)
	if err := one.Start(); err != nil {
		t.Fatal(err)
	}
	s.cluster("a", readyAt(first))
	s.says(w, isUp, first)
	shared.RunEngine(t, func(o *engine.Options) { o.LeaderElect, o.Namespace = true, "leader" })
	ledger := shared.NewLedger(t)
	s.cluster("a", readyAt(second))
	s.says(w, isUp, second)
	if got, want := ledger.Take(), []string{"patch workspaces " + w}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("two engines ask for %q, want %q", got, want)
	}
	if err := one.Kill(); err != nil {
		t.Fatal(err)
	}
	s.cluster("a", readyAt(first))
	s.says(w, isUp, first)
}
