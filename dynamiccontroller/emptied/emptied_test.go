package emptied

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func TestLean(t *testing.T) {
	tests := map[string]struct {
		body, live, want string // want is empty: one write is enough
	}{
		"none":                {"{spec: {a: 1, l: []}}", "{spec: {a: 2, l: [1]}}", ""},
		"one":                 {"{spec: {a: 1, m: {}}}", "{spec: {m: {k: v}}}", "{spec: {a: 1}}"},
		"new":                 {"{spec: {a: 1, m: {}}}", "{spec: {a: 1}}", ""},
		"empty before":        {"{spec: {a: 1, m: {}}}", "{spec: {a: 2, m: {}}}", ""},
		"another is emptied":  {"{m: {}, n: {}, a: 1}", "{m: {k: v}}", "{a: 1}"},
		"all that was there":  {"{data: 1, spec: {m: {n: {}}}}", "{spec: {m: {n: {k: v}}}}", "{data: 1}"},
		"in a list":           {"{l: [{a: 1, m: {}}, {}]}", "{l: [{a: 1, m: {k: v}}]}", "{l: [{a: 1}, {}]}"},
		"in a list that grew": {"{l: [{a: 1}, {a: 2, m: {}}]}", "{l: [{a: 2, m: {k: v}}]}", "{l: [{a: 1}, {a: 2}]}"},
		"null stays":          {"{a: null, m: {}}", "{m: {k: v}}", "{a: null}"},
		"nothing is there":    {"{m: {}}", "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			body, before := read(t, tt.body), read(t, tt.body)
			lean, ok := Lean(body, read(t, tt.live))
			if ok != (tt.want != "") {
				t.Fatalf("found %v in %v", ok, tt.body)
			}
			if ok {
				if diff := cmp.Diff(read(t, tt.want), lean); diff != "" {
					t.Errorf("lean (-want +got):\n%s", diff)
				}
			}
			if diff := cmp.Diff(before, body); diff != "" {
				t.Errorf("the body was changed:\n%s", diff)
			}
		})
	}
}

func read(t *testing.T, text string) (out map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
