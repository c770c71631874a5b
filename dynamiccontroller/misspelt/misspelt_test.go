package misspelt

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIn(t *testing.T) {
	tests := map[string]struct {
		may  Wishes
		have map[string]string
		want []string
	}{
		"nothing":             {OnInstance, map[string]string{"example.com/reconcil": "x"}, nil},
		"wishes":              {OnInstance, map[string]string{"plait.run/reconcile": "suspended", "plait.run/reconcile-at": "1", "plait.run/release": "true"}, nil},
		"marks":               {OnInstance, map[string]string{"plait.run/node": "a", "plait.run/applied-hash": "1-x"}, nil},
		"a misspelt key":      {OnInstance, map[string]string{"plait.run/reconcil": "suspended"}, []string{"the annotation plait.run/reconcil means nothing here. Did you mean plait.run/reconcile or plait.run/reconcile-at?"}},
		"far from any":        {OnGroup, map[string]string{"plait.run/x": "y"}, []string{"the annotation plait.run/x means nothing here"}},
		"another's wish":      {OnGroup, map[string]string{"plait.run/release": "true"}, []string{"the annotation plait.run/release means nothing here"}},
		"a value":             {OnGroup, map[string]string{"plait.run/reconcile": "suspend"}, []string{`the annotation plait.run/reconcile is "suspend", which means nothing. Write "suspended", or drop it`}},
		"told by a condition": {BesideConditions, map[string]string{"plait.run/reconcile": "suspend", "plait.run/reconcil": "x"}, []string{"the annotation plait.run/reconcil means nothing here. Did you mean plait.run/reconcile or plait.run/reconcile-at?"}},
		"an instance's value": {OnInstance, map[string]string{"plait.run/reconcile": "suspend"}, []string{`the annotation plait.run/reconcile is "suspend", which means nothing. Write "suspended", or drop it`}},
		"two":                 {OnInstance, map[string]string{"plait.run/y": "", "plait.run/release": "yes"}, []string{`the annotation plait.run/release is "yes", which means nothing. Write "true", or drop it`, "the annotation plait.run/y means nothing here"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, In(tt.have, tt.may)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}
