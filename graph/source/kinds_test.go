package source_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph/source"
)

func TestKindsOf(t *testing.T) {
	spec := map[string]any{"resources": []any{
		map[string]any{"id": "a", "template": map[string]any{"apiVersion": "db.example.com/v1", "kind": "Database"}},
		map[string]any{"id": "b", "externalRef": map[string]any{"apiVersion": "v1", "kind": "Secret"}},
		map[string]any{"id": "c", "template": map[string]any{"kind": "Nameless"}},
		map[string]any{"id": "d", "template": "none"}, "none", nil,
	}}
	want := map[schema.GroupKind]bool{{Group: "db.example.com", Kind: "Database"}: true, {Kind: "Secret"}: true}
	if diff := cmp.Diff(want, source.KindsOf(spec)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := source.KindsOf(map[string]any{"resources": "none"}); len(got) > 0 {
		t.Errorf("of no list: %v", got)
	}
}
