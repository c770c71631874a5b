package track

import (
	"maps"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// externals is what is wanted of one resource.
type externals struct {
	resource  schema.GroupVersionResource
	byKey     map[External]owners
	selectors map[External]labels.Selector // the keys without a name, parsed
}

func newExternals(r schema.GroupVersionResource) *externals {
	return &externals{resource: r, byKey: map[External]owners{}, selectors: map[External]labels.Selector{}}
}

func (e *externals) isEmpty() bool { return len(e.byKey) == 0 }

func (e *externals) add(owner Owner, key External) (isNew bool) {
	set, ok := e.byKey[key]
	if !ok {
		set = owners{}
		e.byKey[key] = set
		if key.Name == "" {
			e.selectors[key] = parse(key.Selector)
		}
	}
	set[owner] = struct{}{}
	return !ok
}

func (e *externals) remove(owner Owner, key External) (isGone bool) {
	set := e.byKey[key]
	delete(set, owner)
	if len(set) > 0 {
		return false
	}
	delete(e.byKey, key)
	delete(e.selectors, key)
	return true
}

// readers looks the name up and tries each distinct selector once.
func (e *externals) readers(object types.NamespacedName, sets []labels.Set) owners {
	found := owners{}
	maps.Copy(found, e.byKey[External{Resource: e.resource, Namespace: object.Namespace, Name: object.Name}])
	for key, selector := range e.selectors {
		if key.Namespace != "" && key.Namespace != object.Namespace {
			continue
		}
		for _, set := range sets {
			if selector.Matches(set) {
				maps.Copy(found, e.byKey[key])
				break
			}
		}
	}
	return found
}

// parse gives a selector that matches nothing for text that is none: whoever wants it learns so when reading.
func parse(selector string) labels.Selector {
	s, err := labels.Parse(selector)
	if err != nil {
		return labels.Nothing()
	}
	return s
}
