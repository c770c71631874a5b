package discovery

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Mapping is how objects of a kind are addressed.
type Mapping struct {
	Resource   schema.GroupVersionResource
	Namespaced bool
}

// Mapping tells how to address objects of a kind. ok is false when the kind is not installed; an error means that it
// cannot be told now.
func (d *Discovery) Mapping(gvk schema.GroupVersionKind) (m Mapping, ok bool, err error) {
	if err := d.canTell(); err != nil {
		return Mapping{}, false, fmt.Errorf("looking for kind %q: %w", gvk.GroupKind(), err)
	}
	s, ok, err := d.find(gvk)
	if err != nil {
		return Mapping{}, false, err
	}
	if ok {
		return s.Mapping, true, nil
	}
	k, ok, err := d.fromGroup(gvk) // discovery lags behind definitions
	if err != nil || !ok {
		return Mapping{}, false, err
	}
	return Mapping{Resource: k.Resource, Namespaced: k.Namespaced}, true, nil
}

// IsNamespaced tells the scope of a resource; what is unknown counts as namespaced.
func (d *Discovery) IsNamespaced(gvr schema.GroupVersionResource) bool {
	s, err := d.current(func(s *snapshot) bool { return s.byResource(gvr) != nil })
	if err != nil {
		return true
	}
	found := s.byResource(gvr)
	return found == nil || found.Namespaced
}

func (s *snapshot) byResource(gvr schema.GroupVersionResource) *served {
	for _, k := range s.kinds {
		if k.Resource == gvr {
			return &k
		}
	}
	return nil
}

// ServedKinds gives every kind that can be addressed by name, sorted by group, version and kind.
func (d *Discovery) ServedKinds() ([]schema.GroupVersionKind, error) {
	s, err := d.current(func(s *snapshot) bool { return time.Since(s.at) < missTime })
	if err != nil {
		return nil, err
	}
	return slices.SortedFunc(maps.Keys(s.kinds), func(a, b schema.GroupVersionKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Kind, b.Kind))
	}), nil
}
