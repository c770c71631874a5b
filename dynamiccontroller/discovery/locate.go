package discovery

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	graphschema "github.com/plait-run/plait/graph/schema"
)

// Locate gives the resource of a kind in the version that the server prefers. ok is false only when the kind certainly
// is not installed: no definition has it, and every version of its group could be told. An error means that it cannot be
// told now.
func (d *Discovery) Locate(_ context.Context, kind schema.GroupKind) (resource schema.GroupVersionResource, ok bool, err error) {
	if err := d.canTell(); err != nil {
		return schema.GroupVersionResource{}, false, fmt.Errorf("looking for kind %q: %w", kind, err)
	}
	s, err := d.current(func(s *snapshot) bool { _, ok := s.first[kind]; return ok })
	if err != nil {
		return schema.GroupVersionResource{}, false, err
	}
	if gvk, ok := s.first[kind]; ok {
		found := s.kinds[gvk].Resource
		return found, !d.isGone(found), nil
	}
	for gv, cause := range s.failed {
		if gv.Group == kind.Group {
			return schema.GroupVersionResource{}, false, fmt.Errorf("asking the API server for group %q: %w", kind.Group, cause)
		}
	}
	k, ok, err := d.fromDefinitions(kind.Group, func(f *definition) *graphschema.Kind { return f.anyOf(kind) })
	if err != nil || !ok {
		return schema.GroupVersionResource{}, false, err
	}
	return k.Resource, true, nil
}
