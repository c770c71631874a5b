package mounts

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/mounts/contract"
)

var (
	clustersKind = schema.GroupKind{Group: "infra.example.com", Kind: "Cluster"}
	clusters     = schema.GroupVersionResource{Group: "infra.example.com", Version: "v1", Resource: "clusters"}
	onEU1        = target{kind: clustersKind, mount: mountKey{clusters, types.NamespacedName{Namespace: "infra", Name: "eu-1"}}}
	onEU2        = target{kind: clustersKind, mount: mountKey{clusters, types.NamespacedName{Namespace: "infra", Name: "eu-2"}}}
)

func named(name string) workspaceKey { return workspaceKey{contract.Plait, name} }

func TestIndex(t *testing.T) {
	x := newIndex()
	x.set(named("b"), onEU1)
	x.set(named("a"), onEU1)
	x.set(named("a"), onEU1)
	x.set(named("c"), target{kind: clustersKind})
	mustGive := func(what string, got []workspaceKey, want ...string) {
		t.Helper()
		var names []string
		for _, w := range got {
			names = append(names, w.Name)
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	mustGive("on the object", x.ofMount(onEU1.mount), "a", "b")
	mustGive("of the kind", x.ofKind(clustersKind), "a", "b", "c")
	mustGive("of the group", x.ofKind(schema.GroupKind{Group: "infra.example.com"}), "a", "b", "c")
	mustGive("of another kind", x.ofKind(schema.GroupKind{Group: "infra.example.com", Kind: "Zone"}))
	x.set(named("a"), onEU2)
	mustGive("after one has moved", x.ofMount(onEU1.mount), "b")
	mustGive("of the resource", x.ofResource(clusters), "a", "b")
	if x.uses[clusters] != 2 {
		t.Errorf("%d use the resource, want 2", x.uses[clusters])
	}
	for _, name := range []string{"a", "b", "c", "never"} {
		x.set(named(name), target{})
	}
	if n := len(x.targets) + len(x.kinds) + len(x.mounts) + len(x.uses); n != 0 {
		t.Errorf("%d entries are left", n)
	}
}

// copies is a watcher and the copies of a dynamic controller.
type copies struct {
	wanted     map[schema.GroupVersionResource]bool
	log        []string
	registered bool
	complete   bool
}

func (c *copies) SetWanted(owner track.Owner, _ []schema.GroupVersionResource, externals []track.External) {
	c.wanted[owner.Resource] = len(externals) > 0
	c.log = append(c.log, fmt.Sprintf("%s %v", owner.Resource.Resource, len(externals) > 0))
}

func (c *copies) External(key track.External) ([]*unstructured.Unstructured, bool) {
	if !c.wanted[key.Resource] || !c.complete {
		return nil, false
	}
	return []*unstructured.Unstructured{{Object: map[string]any{"from": "watcher"}}}, true
}

func (c *copies) Instance(schema.GroupVersionResource, types.NamespacedName) (*unstructured.Unstructured, bool) {
	return &unstructured.Unstructured{Object: map[string]any{"from": "instances"}}, c.registered && c.complete
}

func (c *copies) State(schema.GroupVersionResource) (bool, error) {
	if !c.registered {
		return false, fmt.Errorf("asking: %w", dynamiccontroller.ErrNotRegistered)
	}
	return c.complete, nil
}

// TestSources follows a kind that is watched for Workspaces, then served by a graph, then not any more.
func TestSources(t *testing.T) {
	c := &copies{wanted: map[schema.GroupVersionResource]bool{}}
	s := newSources(c, c, func() time.Time { return noon })
	from := func() string {
		u, complete, why := s.read(onEU1.mount)
		switch {
		case why.err != nil:
			return why.err.Error()
		case !complete:
			return "unknown"
		case u == nil:
			return "none"
		}
		return fmt.Sprint(u.Object["from"])
	}
	steps := []struct {
		what string
		do   func()
		want string // of reading
		log  []string
	}{
		{"a kind is aimed at", func() { s.aim(named("a"), clustersKind) }, "unknown", nil},
		{"it is used", func() { s.set(named("a"), onEU1) }, "unknown", []string{"clusters true"}},
		{"it cannot be listed", func() { s.failed(clusters, errors.New("refused")) }, "refused", nil},
		{"it is listed", func() { c.complete = true }, "watcher", nil},
		{"it is used twice", func() { s.set(named("b"), onEU2) }, "watcher", nil},
		{"a graph is published", func() { s.publish(clusters, "group"); c.complete = false }, "unknown", []string{"clusters false"}},
		{"its controller runs", func() { c.registered, c.complete = true, true }, "instances", nil},
		{"the graph goes", func() { c.registered = false; s.withdraw("group") }, "watcher", []string{"clusters true"}},
		{"one is left", func() { s.set(named("a"), target{}) }, "watcher", nil},
		{"aimed at the same kind again", func() { s.aim(named("b"), clustersKind) }, "watcher", nil},
		{"nobody is", func() { s.set(named("b"), target{}) }, "unknown", []string{"clusters false"}},
	}
	for _, step := range steps {
		c.log = nil
		step.do()
		if got := from(); got != step.want {
			t.Errorf("%s: it is read from %s, want %s", step.what, got, step.want)
		}
		if diff := cmp.Diff(step.log, c.log); diff != "" {
			t.Errorf("%s: wishes (-want +got):\n%s", step.what, diff)
		}
	}
}
