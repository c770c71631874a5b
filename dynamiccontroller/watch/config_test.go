package watch

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller/track"
)

func TestExpand(t *testing.T) {
	pods := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	nodes := schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
	cfg := Config{
		Namespaces:   []string{"a", "b"},
		IsNamespaced: func(r schema.GroupVersionResource) bool { return r == pods },
	}
	tests := map[string]struct {
		cfg   Config
		scope track.Scope
		want  []track.Scope
	}{
		"all namespaces": {cfg, track.Scope{Resource: pods, Children: true},
			[]track.Scope{{Resource: pods, Children: true, Namespace: "a"}, {Resource: pods, Children: true, Namespace: "b"}}},
		"one namespace":  {cfg, track.Scope{Resource: pods, Namespace: "c"}, []track.Scope{{Resource: pods, Namespace: "c"}}},
		"cluster-scoped": {cfg, track.Scope{Resource: nodes}, []track.Scope{{Resource: nodes}}},
		"no limit":       {Config{}, track.Scope{Resource: pods}, []track.Scope{{Resource: pods}}},
	}
	for name, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.cfg.expand(tt.scope)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestConfigNamesAllFaults(t *testing.T) {
	_, err := New(Config{Linger: -time.Second})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"client", "tell", "negative"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not named in: %v", want, err)
		}
	}
}
