package discovery

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// Locate tells how objects of a kind are addressed in the most stable version that is served. ok is false only when
// the kind certainly is not installed: no definition of its group waits to be discovered, and every version of the group
// answers. An error means that it cannot be told now.
func (d *Discovery) Locate(_ context.Context, kind schema.GroupKind) (resource schema.GroupVersionResource, ok bool, err error) {
	s, err := d.current(func(s *snapshot) bool { _, ok := s.best(kind); return ok })
	if err != nil {
		return schema.GroupVersionResource{}, false, err
	}
	if found, ok := s.best(kind); ok {
		return found, !d.isGone(found), nil
	}
	for gv, cause := range s.failed {
		if gv.Group == kind.Group {
			return schema.GroupVersionResource{}, false, fmt.Errorf("asking the API server for group %q: %w", gv, cause)
		}
	}
	if name, waiting := d.undiscovered(s, kind.Group); waiting {
		return schema.GroupVersionResource{}, false, fmt.Errorf("CustomResourceDefinition %q is not discovered yet", name)
	}
	return schema.GroupVersionResource{}, false, nil
}

// best gives the resource of a kind in its most stable version.
func (s *snapshot) best(kind schema.GroupKind) (best schema.GroupVersionResource, ok bool) {
	for gvk, found := range s.kinds {
		if gvk.GroupKind() != kind {
			continue
		}
		if !ok || version.CompareKubeAwareVersionStrings(gvk.Version, best.Version) > 0 {
			best, ok = found.Resource, true
		}
	}
	return best, ok
}

// undiscovered gives a definition of a group that the snapshot does not show.
func (d *Discovery) undiscovered(s *snapshot, group string) (name string, ok bool) {
	for _, metadata := range d.crds.Select("", labels.Everything()) {
		plural, of, _ := strings.Cut(metadata.GetName(), ".")
		if of == group && !s.hasResource(of, plural) {
			return metadata.GetName(), true
		}
	}
	return "", false
}

func (s *snapshot) hasResource(group, plural string) bool {
	for _, found := range s.kinds {
		if found.Resource.Group == group && found.Resource.Resource == plural {
			return true
		}
	}
	return false
}
