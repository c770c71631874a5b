package apply

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReplaced(t *testing.T) {
	object := func() map[string]any {
		return map[string]any{
			"spec": map[string]any{"replicas": int64(3), "ports": []any{map[string]any{"port": int64(80)}}},
			"data": map[string]any{"app.conf": "x"},
		}
	}
	cases := map[string]struct {
		path string
		keep bool
		want map[string]any
	}{
		"field": {"spec.replicas", true, map[string]any{
			"spec": map[string]any{"replicas": "new", "ports": []any{map[string]any{"port": int64(80)}}},
			"data": map[string]any{"app.conf": "x"}}},
		"field left out": {"spec.replicas", false, map[string]any{
			"spec": map[string]any{"ports": []any{map[string]any{"port": int64(80)}}},
			"data": map[string]any{"app.conf": "x"}}},
		"quoted key": {`data["app.conf"]`, true, map[string]any{
			"spec": map[string]any{"replicas": int64(3), "ports": []any{map[string]any{"port": int64(80)}}},
			"data": map[string]any{"app.conf": "new"}}},
		"in a list": {"spec.ports[0].port", false, map[string]any{
			"spec": map[string]any{"replicas": int64(3), "ports": []any{map[string]any{}}},
			"data": map[string]any{"app.conf": "x"}}},
		"missing":        {"spec.paused", true, object()},
		"beyond a list":  {"spec.ports[7].port", true, object()},
		"through scalar": {"spec.replicas.x", true, object()},
		"unfinished":     {"spec[", true, object()},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			in := object()
			path := parsePath(c.path)
			got := any(in)
			if path != nil {
				got = replaced(in, path, "new", c.keep)
			}
			if diff := cmp.Diff(any(c.want), got); diff != "" {
				t.Errorf("replaced (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(object(), in); diff != "" {
				t.Errorf("the input was changed (-want +got):\n%s", diff)
			}
		})
	}
}
