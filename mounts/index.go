package mounts

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/mounts/contract"
)

// workspaceKey names a Workspace. Comparable.
type workspaceKey struct {
	API  contract.API
	Name string
}

// mountKey names a mount object, by the resource that serves it. Comparable; the zero value is none.
type mountKey struct {
	Resource schema.GroupVersionResource
	types.NamespacedName
}

// target is what a Workspace refers to: the kind, and the object once it is known where the kind is served.
type target struct {
	kind  schema.GroupKind
	mount mountKey
}

type workspaceSet map[workspaceKey]struct{}

// index knows what Workspaces refer to, in both directions. Not safe for concurrent use.
type index struct {
	targets map[workspaceKey]target
	kinds   map[schema.GroupKind]workspaceSet
	mounts  map[mountKey]workspaceSet
	uses    map[schema.GroupVersionResource]int // Workspaces whose mount object is of the resource
}

func newIndex() *index {
	return &index{
		targets: map[workspaceKey]target{}, kinds: map[schema.GroupKind]workspaceSet{}, mounts: map[mountKey]workspaceSet{},
		uses: map[schema.GroupVersionResource]int{},
	}
}

// set replaces what a Workspace refers to; with the zero target it is forgotten.
func (x *index) set(w workspaceKey, t target) {
	had := x.targets[w]
	if had == t {
		return
	}
	remove(x.kinds, had.kind, w)
	remove(x.mounts, had.mount, w)
	if x.uses[had.mount.Resource]--; x.uses[had.mount.Resource] <= 0 {
		delete(x.uses, had.mount.Resource)
	}
	delete(x.targets, w)
	if t == (target{}) {
		return
	}
	x.targets[w] = t
	add(x.kinds, t.kind, w)
	if t.mount != (mountKey{}) {
		add(x.mounts, t.mount, w)
		x.uses[t.mount.Resource]++
	}
}

// ofMount gives the Workspaces on an object, sorted.
func (x *index) ofMount(m mountKey) []workspaceKey { return x.mounts[m].sorted() }

// ofKind gives the Workspaces that refer to a kind, served or not, sorted; an empty Kind stands for any of the group.
func (x *index) ofKind(gk schema.GroupKind) []workspaceKey {
	if gk.Kind != "" {
		return x.kinds[gk].sorted()
	}
	all := workspaceSet{}
	for kind, set := range x.kinds {
		if kind.Group == gk.Group {
			maps.Copy(all, set)
		}
	}
	return all.sorted()
}

// ofResource gives the Workspaces whose mount object is of a resource, sorted.
func (x *index) ofResource(resource schema.GroupVersionResource) []workspaceKey {
	all := workspaceSet{}
	for mount, set := range x.mounts {
		if mount.Resource == resource {
			maps.Copy(all, set)
		}
	}
	return all.sorted()
}

func (s workspaceSet) sorted() []workspaceKey {
	return slices.SortedFunc(maps.Keys(s), func(a, b workspaceKey) int {
		return cmp.Or(cmp.Compare(a.API.Group, b.API.Group), cmp.Compare(a.Name, b.Name))
	})
}

func add[K comparable](sets map[K]workspaceSet, key K, w workspaceKey) {
	if sets[key] == nil {
		sets[key] = workspaceSet{}
	}
	sets[key][w] = struct{}{}
}

func remove[K comparable](sets map[K]workspaceSet, key K, w workspaceKey) {
	delete(sets[key], w)
	if len(sets[key]) == 0 {
		delete(sets, key)
	}
}
