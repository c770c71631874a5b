package track

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

type owners map[Owner]struct{}

// Index maps what is watched to who wants it. The zero value is not usable; see NewIndex.
type Index struct {
	wants     map[Owner]*wants
	children  map[schema.GroupVersionResource]owners
	externals map[schema.GroupVersionResource]*externals
	instances map[types.UID]Owner
}

// wants is what one owner asked for; both lists are sorted and without duplicates.
type wants struct {
	children  []schema.GroupVersionResource
	externals []External
}

// NewIndex gives an index in which nobody wants anything.
func NewIndex() *Index {
	return &Index{
		wants:     map[Owner]*wants{},
		children:  map[schema.GroupVersionResource]owners{},
		externals: map[schema.GroupVersionResource]*externals{},
		instances: map[types.UID]Owner{},
	}
}

// Add adds to what an owner wants, and tells whether that changed which lists have to be watched.
func (x *Index) Add(owner Owner, children []schema.GroupVersionResource, externals []External) (changed bool) {
	had := x.wants[owner]
	if had == nil {
		return x.Set(owner, children, externals)
	}
	return x.Set(owner, union(had.children, children, compareResources), union(had.externals, externals, External.Compare))
}

// Set replaces what an owner wants, and tells whether that changed which lists have to be watched. With empty lists
// the owner is forgotten.
func (x *Index) Set(owner Owner, children []schema.GroupVersionResource, externals []External) (changed bool) {
	had := x.wants[owner]
	if had == nil {
		had = &wants{}
	}
	now := &wants{
		children:  union(children, nil, compareResources),
		externals: union(externals, nil, External.Compare),
	}
	x.wants[owner] = now
	if len(now.children)+len(now.externals) == 0 {
		delete(x.wants, owner)
	}
	gone, come := difference(had.children, now.children, compareResources)
	for _, r := range come {
		changed = x.addChild(owner, r) || changed
	}
	for _, r := range gone {
		changed = x.removeChild(owner, r) || changed
	}
	lost, won := difference(had.externals, now.externals, External.Compare)
	for _, e := range won {
		changed = x.addExternal(owner, e) || changed
	}
	for _, e := range lost {
		changed = x.removeExternal(owner, e) || changed
	}
	return changed
}

func (x *Index) addChild(owner Owner, r schema.GroupVersionResource) bool {
	set, ok := x.children[r]
	if !ok {
		set = owners{}
		x.children[r] = set
	}
	set[owner] = struct{}{}
	return !ok
}

func (x *Index) removeChild(owner Owner, r schema.GroupVersionResource) bool {
	set := x.children[r]
	delete(set, owner)
	if len(set) > 0 {
		return false
	}
	delete(x.children, r)
	return true
}

func (x *Index) addExternal(owner Owner, e External) bool {
	set, ok := x.externals[e.Resource]
	if !ok {
		set = newExternals(e.Resource)
		x.externals[e.Resource] = set
	}
	return set.add(owner, e)
}

func (x *Index) removeExternal(owner Owner, e External) bool {
	set := x.externals[e.Resource]
	changed := set.remove(owner, e)
	if set.isEmpty() {
		delete(x.externals, e.Resource)
	}
	return changed
}

// Bind makes an instance known by its UID.
func (x *Index) Bind(uid types.UID, owner Owner) { x.instances[uid] = owner }

// Unbind forgets an instance's UID. What it wants stays until Set.
func (x *Index) Unbind(uid types.UID) { delete(x.instances, uid) }

// Instance gives the instance with this UID.
func (x *Index) Instance(uid types.UID) (Owner, bool) {
	o, ok := x.instances[uid]
	return o, ok
}

// Parents gives the owners that want children of a resource, sorted.
func (x *Index) Parents(r schema.GroupVersionResource) []Owner { return x.children[r].sorted() }

// Readers gives the owners whose externals an object of a resource belongs to, by its name or by any of the label
// sets (its former and its present ones), sorted.
func (x *Index) Readers(r schema.GroupVersionResource, object types.NamespacedName, sets ...labels.Set) []Owner {
	e := x.externals[r]
	if e == nil {
		return nil
	}
	return e.readers(object, sets).sorted()
}

// Waiting gives the owners that read something out of a scope, sorted.
func (x *Index) Waiting(s Scope) []Owner {
	if s.Children {
		return x.Parents(s.Resource)
	}
	e := x.externals[s.Resource]
	if e == nil {
		return nil
	}
	found := owners{}
	for key, set := range e.byKey {
		if s.Covers(key) {
			maps.Copy(found, set)
		}
	}
	return found.sorted()
}

// Scopes gives the lists that have to be watched, sorted.
func (x *Index) Scopes() []Scope {
	var out []Scope
	for r := range x.children {
		out = append(out, Scope{Resource: r, Children: true})
	}
	for r, e := range x.externals {
		out = append(out, scopesOf(r, slices.Collect(maps.Keys(e.byKey)))...)
	}
	slices.SortFunc(out, Scope.Compare)
	return out
}

func (o owners) sorted() []Owner {
	if len(o) == 0 {
		return nil
	}
	return slices.SortedFunc(maps.Keys(o), Owner.Compare)
}

func union[T comparable](a, b []T, compare func(T, T) int) []T {
	out := append(slices.Clone(a), b...)
	slices.SortFunc(out, compare)
	return slices.Compact(out)
}

// difference gives what is only in a and what is only in b; both are sorted.
func difference[T comparable](a, b []T, compare func(T, T) int) (onlyA, onlyB []T) {
	if slices.Equal(a, b) {
		return nil, nil
	}
	for _, v := range a {
		if _, ok := slices.BinarySearchFunc(b, v, compare); !ok {
			onlyA = append(onlyA, v)
		}
	}
	for _, v := range b {
		if _, ok := slices.BinarySearchFunc(a, v, compare); !ok {
			onlyB = append(onlyB, v)
		}
	}
	return onlyA, onlyB
}
