package source

import (
	"testing"

	"github.com/plait-run/plait/graph/diag"
)

func TestIndexFindsTheNearestPlace(t *testing.T) {
	docs, _ := Parse("", []byte("a:\n  b: [x, {c: 1}]\n  \"d.e\": 2\n"))
	index := NewIndex(docs[0].Root)
	for path, want := range map[string]diag.Position{
		"a.b[1].c": {Line: 2, Column: 14}, "a.b[1].z": {Line: 2, Column: 10}, "a.b[7].z": {Line: 2, Column: 6},
		`a["d.e"]`: {Line: 3, Column: 10}, `a["d.f"].g`: {Line: 2, Column: 3}, "z": {Line: 1, Column: 1},
	} {
		if got := index.Position(path); got != want {
			t.Errorf("%s stands at %v, want %v", path, got, want)
		}
	}
	if got := NewIndex(docs[0].Root.Get("a")).Position("z"); got != (diag.Position{}) {
		t.Errorf("what is outside of the tree stands at %v", got)
	}
}
