package source

import (
	"strings"

	"github.com/plait-run/plait/graph/diag"
)

// Index finds the values of a tree by their path.
type Index map[string]*Value

// NewIndex holds a value and all below it.
func NewIndex(root *Value) Index {
	out := Index{}
	out.add(root)
	return out
}

func (x Index) add(v *Value) {
	x[v.Path] = v
	for _, item := range v.Items {
		x.add(item)
	}
	for _, f := range v.Fields {
		x.add(f.Value)
	}
}

// Position is that of a path, or of its nearest parent that is written out; zero when there is none.
func (x Index) Position(path string) diag.Position {
	for path != "" {
		if v := x[path]; v != nil {
			return v.Position
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	if root := x[""]; root != nil {
		return root.Position
	}
	return diag.Position{}
}
