package wire

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestCutEnvelope holds the short way against reading the whole of an event.
func TestCutEnvelope(t *testing.T) {
	tests := map[string]struct {
		event string
		cut   bool
	}{
		"as API servers write it":    {`{"type":"ADDED","object":{"kind":"A","data":{"x":"}}"}}}` + "\n", true},
		"an empty object":            {`{"type":"MODIFIED","object":{}}`, true},
		"a text like an envelope":    {`{"type":"DELETED","object":{"a":"\",\"object\":{"}}`, true},
		"spaces":                     {`{ "type": "ADDED", "object": {"kind":"A"} }`, false},
		"the object first":           {`{"object":{"kind":"A"},"type":"ADDED"}`, false},
		"no object":                  {`{"type":"ADDED"}`, false},
		"an object that is null":     {`{"type":"ADDED","object":null}`, false},
		"a type with an escape":      {`{"type":"A\"DDED","object":{"kind":"A"}}`, false},
		"something after the object": {`{"type":"ADDED","object":{"kind":"A"},"more":1}`, false},
		"cut off":                    {`{"type":"ADDED","object":{"kind":"A"`, false},
		"nothing":                    {``, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			kind, object, ok := cutEnvelope([]byte(tt.event))
			if ok != tt.cut {
				t.Fatalf("cut: %t, want %t", ok, tt.cut)
			}
			if !ok {
				return
			}
			var want metav1.WatchEvent
			if err := json.Unmarshal([]byte(tt.event), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{want.Type, string(want.Object.Raw)}, []string{kind, string(object)}); diff != "" {
				t.Errorf("(-read as a whole +cut):\n%s", diff)
			}
		})
	}
}
