package mirror

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWithoutEmpty(t *testing.T) {
	tests := map[string]struct {
		body, want string // empty: there is nothing to leave out
	}{
		"none":               {"{spec: {a: 1, l: []}}", ""},
		"one":                {"{spec: {a: 1, m: {}}}", "{spec: {a: 1}}"},
		"all that was there": {"{data: 1, spec: {m: {n: {}}}}", "{data: 1}"},
		"in a list":          {"{l: [{a: 1, m: {}}, {}]}", "{l: [{a: 1}, {}]}"},
		"null stays":         {"{a: null, m: {}}", "{a: null}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			body := fromYAML(t, withKind(tt.body)).Object
			before := fromYAML(t, withKind(tt.body)).Object
			lean, ok := WithoutEmpty(body)
			if ok != (tt.want != "") {
				t.Fatalf("found %v in %v", ok, tt.body)
			}
			if ok {
				if diff := cmp.Diff(fromYAML(t, withKind(tt.want)).Object, lean); diff != "" {
					t.Errorf("lean (-want +got):\n%s", diff)
				}
			}
			if diff := cmp.Diff(before, body); diff != "" {
				t.Errorf("the body was changed:\n%s", diff)
			}
		})
	}
}
