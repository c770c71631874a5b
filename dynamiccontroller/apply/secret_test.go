package apply

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

func secret(content map[string]any) plan.Object {
	obj := configMap(nil)
	obj.GVK, obj.Key.Kind = secretKind, secretKind.Kind
	obj.Rendered = map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "shop"}}
	for k, v := range content {
		obj.Rendered[k] = v
	}
	return obj
}

func TestTextsOfSecretsAreAppliedAsData(t *testing.T) {
	tests := map[string]struct{ content, want map[string]any }{
		"texts":      {map[string]any{"stringData": map[string]any{"a": "1"}}, map[string]any{"data": map[string]any{"a": "MQ=="}}},
		"texts win":  {map[string]any{"stringData": map[string]any{"a": "1"}, "data": map[string]any{"a": "Mg==", "b": "Mw=="}}, map[string]any{"data": map[string]any{"a": "MQ==", "b": "Mw=="}}},
		"data":       {map[string]any{"data": map[string]any{"a": "Mg=="}}, map[string]any{"data": map[string]any{"a": "Mg=="}}},
		"no text":    {map[string]any{"stringData": map[string]any{"a": int64(1)}}, map[string]any{"stringData": map[string]any{"a": int64(1)}}},
		"no content": {nil, map[string]any{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			obj, before := secret(tt.content), secret(tt.content)
			got := testOwner().Marked(obj)
			for _, k := range []string{"apiVersion", "kind", "metadata"} {
				delete(got, k)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, obj); diff != "" {
				t.Errorf("the rendered object was changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestIgnoredTextsOfSecrets(t *testing.T) {
	obj := secret(map[string]any{"stringData": map[string]any{"a": "1", "b": "1"}})
	obj.Lifecycle = graph.Lifecycle{IgnoreFields: []string{"stringData.a"}}
	live := liveOf(t, testOwner(), obj)
	live["data"] = map[string]any{"a": "eHg=", "b": "MQ=="}
	if !testOwner().Compare(obj, live).IsNone(nil) {
		t.Error("a changed ignored text counts as a difference")
	}
	obj.Rendered["stringData"] = map[string]any{"a": "1", "b": "2"}
	api := &fakeAPI{t: t, live: live}
	if _, fault := New(fixedNow).Apply(context.Background(), Request{Owner: testOwner(), Object: obj, Live: live, API: api}); fault != nil {
		t.Fatalf("applying: %v", fault)
	}
	if diff := cmp.Diff(map[string]any{"a": "eHg=", "b": "Mg=="}, api.bodies[0]["data"]); diff != "" {
		t.Errorf("written data (-want +got):\n%s", diff)
	}
}
