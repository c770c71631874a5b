package runtime

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/runtime/plan"
)

// TestLimitsAndItems has nodes go over their limits, and items be told apart in messages.
func TestLimitsAndItems(t *testing.T) {
	each := func(name string) fixture {
		return fixture{id: "list", forEach: [][2]string{{"n", "${schema.spec.names}"}}, template: "metadata: {name: '" + name + "'}"}
	}
	single := fixture{id: "one", template: "metadata: {name: one}"}
	tests := map[string]struct {
		nodes  []fixture
		spec   string
		limits Limits
		want   []string
		says   string
	}{
		"as many children as may be": {
			[]fixture{single, each("l-${n}")}, "{names: [a, b]}", Limits{Children: 3}, []string{"one Ready", "list Ready"}, "everything is ready",
		},
		"more children than may be": {
			[]fixture{single, each("l-${n}")}, "{names: [a, b]}", Limits{Children: 2}, []string{"one Ready", "list Failed"},
			"list: spec.resources[1]: with it the instance has more than 2 objects",
		},
		"an object that is too large": {
			[]fixture{{id: "big", template: "metadata: {name: big}\ndata: {x: '${schema.spec.name}'}"}},
			"{name: " + strings.Repeat("x", 200) + "}", Limits{ObjectBytes: 200}, []string{"big Failed"},
			"big: spec.resources[0]: ConfigMap shop/big is larger than the limit of 200 bytes",
		},
		"a name that cannot be, of an item": {
			[]fixture{each("${n}")}, "{names: [fine, Not A Name]}", Limits{}, []string{"list Failed"},
			`spec.resources[0].template.metadata.name of item ["Not A Name"]: "Not A Name" cannot be the name of an object`,
		},
		"an empty name of an item": {
			[]fixture{each(`${n == "b" ? "" : n}`)}, "{names: [a, b]}", Limits{}, []string{"list Failed"},
			`spec.resources[0].template.metadata.name of item ["b"]: it comes out empty`,
		},
		"items alike, behind one that fails": {
			[]fixture{each(`${n.startsWith("s") ? "same" : n}`)}, "{names: [Bad, s1, s2]}", Limits{}, []string{"list Failed"},
			`the items 2 and 3 (["s1"] and ["s2"]) are both ConfigMap shop/same`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in := Input{Graph: newGraph(t, "", tt.nodes...), Instance: instance(t, tt.spec), Limits: tt.limits}
			p := Preview(t.Context(), in, nil)
			if diff := cmp.Diff(tt.want, states(p)); diff != "" {
				t.Errorf("states (-want +got):\n%s", diff)
			}
			if message := plan.Summarise(p).Message; !strings.Contains(message, tt.says) {
				t.Errorf("the message is %q, want %q in it", message, tt.says)
			}
		})
	}
}
