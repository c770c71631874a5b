package sync_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

// TestProviderPutBack has a provider's store restored from an older copy while the way to it stays open: objects are lost,
// others are back, and its resource versions begin anew in the middle. Nothing is lost here, and the provider gets what it
// should have.
func TestProviderPutBack(t *testing.T) {
	o := newOffer(t)
	dir := t.TempDir()
	provider := startProvider(t, dir)
	define(t, provider, o)
	w := newWays()
	w.open(t, o.connection(), provider.RESTConfig())
	run(t, w)
	here, _ := o.space("")
	there := provider.Space(t, here.Namespace)
	o.bind("")
	for _, name := range []string{"changed", "gone"} {
		here.Apply(o.database(name, "{size: 1}"))
		there.WaitFor(o.name, name, specIs("size", int64(1)))
		report(t, there, o.name, name, `{"phase":"Up"}`)
		here.WaitFor(o.name, name, phaseIs("Up"))
	}
	stored := uidOf(must(there.Get(o.name, "changed")))
	store, kept := filepath.Join(dir, "etcd"), filepath.Join(dir, "kept")
	copyStore(t, provider, store, kept)

	here.Patch(o.name, "changed", `{"spec":{"size":2}}`)
	there.WaitFor(o.name, "changed", specIs("size", int64(2)))
	here.Apply(o.database("new", "{size: 3}"))
	there.WaitFor(o.name, "new", specIs("size", int64(3)))
	here.Remove(o.name, "gone")
	there.WaitGone(o.name, "gone")
	for i := range 200 { // its life goes on
		report(t, there, o.name, "new", fmt.Sprintf(`{"phase":"Up %d"}`, i))
	}
	here.WaitFor(o.name, "new", phaseIs("Up 199"))
	mustEnd(t, provider)
	if err := errors.Join(os.RemoveAll(store), os.Rename(kept, store)); err != nil {
		t.Fatal(err)
	}

	provider = startProvider(t, dir)
	there = provider.Space(t, here.Namespace)
	if u := there.WaitFor(o.name, "changed", specIs("size", int64(2))); uidOf(u) != stored {
		t.Error("a copy that was restored was made anew")
	}
	there.WaitFor(o.name, "new", specIs("size", int64(3)))
	there.WaitGone(o.name, "gone")
	for name, phase := range map[string]string{"changed": "Again", "new": "Anew"} {
		report(t, there, o.name, name, fmt.Sprintf(`{"phase":%q}`, phase))
		if u := here.WaitFor(o.name, name, phaseIs(phase)); u.GetDeletionTimestamp() != nil {
			t.Errorf("%s is being deleted", name)
		}
	}
	here.Patch(o.name, "changed", `{"spec":{"size":1}}`) // what the lost history had once
	there.WaitFor(o.name, "changed", specIs("size", int64(1)))
}

// startProvider starts a provider over a folder, or starts it again.
func startProvider(t *testing.T, dir string) *world.World {
	t.Helper()
	w, err := world.Start(context.Background(), cluster.Config{Dir: dir, NoFsync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mustEnd(t, w) })
	return w
}

// mustEnd ends a provider as an outage does. A second call does nothing.
func mustEnd(t *testing.T, w *world.World) {
	t.Helper()
	if len(w.PIDs()) == 0 {
		return
	}
	if err := errors.Join(w.StopAPIServer(), w.Stop()); err != nil {
		t.Error(err)
	}
}

// copyStore copies the files of a store at one moment of its life, as a snapshot of the disk does.
func copyStore(t *testing.T, w *world.World, from, to string) {
	t.Helper()
	etcd, err := os.FindProcess(w.PIDs()[0]) // the first that is started
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(etcd.Signal(syscall.SIGSTOP), os.CopyFS(to, os.DirFS(from)), etcd.Signal(syscall.SIGCONT))
	if err != nil {
		t.Fatal(err)
	}
}
