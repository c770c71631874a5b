package compile

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph/expr"
)

const otherInstance = `
- id: other
  externalRef: {apiVersion: apps.plait.run/v1alpha1, kind: %s, metadata: {name: other}}`

// TestStatusesOfEachOther come to rest however often two groups are compiled that show each other's status.
func TestStatusesOfEachOther(t *testing.T) {
	for name, status := range map[string]string{
		"once":  `status: {other: "${other.status}"}`,
		"twice": `status: {a: "${other.status}", b: ["${other.status}"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var served [2]*apiextensionsv1.CustomResourceDefinition
			for round := range 30 {
				var changed bool
				for i, other := range []string{"Other", "Thing"} {
					text := document(fmt.Sprintf(otherInstance, other), status)
					if other == "Thing" {
						text = strings.Replace(text, "kind: Thing", "kind: Other", 1)
					}
					var known []*apiextensionsv1.CustomResourceDefinition
					if served[1-i] != nil {
						known = append(known, served[1-i])
					}
					next := ownKindCRD(t, text, known...)
					changed = changed || !cmp.Equal(served[i], next)
					served[i] = next
				}
				if changed {
					continue
				}
				data, err := json.Marshal(served)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("at rest after %d rounds, with %d KiB", round, len(data)>>10)
				if len(data) > 1<<20 {
					t.Errorf("the definitions have %d bytes", len(data))
				}
				return
			}
			t.Error("the definitions still change")
		})
	}
}

func TestLevelsWithin(t *testing.T) {
	text := expr.Primitive(expr.String)
	object := func(fields ...*expr.Type) *expr.Type {
		of := map[string]*expr.Type{}
		for i, f := range fields {
			of[fmt.Sprint("f", i)] = f
		}
		return expr.ObjectOf(of)
	}
	tests := map[string]struct {
		types         []*expr.Type
		levels, parts int
		want          int
	}{
		"nothing":               {nil, 5, 1, 5},
		"all fits":              {[]*expr.Type{object(text, text)}, 5, 3, 5},
		"the last level is cut": {[]*expr.Type{object(text, text)}, 5, 2, 1},
		"side by side":          {[]*expr.Type{object(text), object(text)}, 5, 3, 1},
		"through lists":         {[]*expr.Type{expr.ListOf(expr.ListOf(text))}, 5, 2, 2},
		"no level has room":     {[]*expr.Type{text, text}, 5, 1, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := levelsWithin(tt.types, tt.levels, tt.parts); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}
