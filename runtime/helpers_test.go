package runtime

import (
	"context"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/runtime/plan"
)

// object reads YAML; apiVersion and kind are a ConfigMap's unless it says otherwise.
func object(t *testing.T, text string) map[string]any {
	t.Helper()
	out := map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}
	var read map[string]any
	if err := yaml.Unmarshal([]byte(text), &read); err != nil {
		t.Fatalf("reading %q: %v", text, err)
	}
	for key, value := range read {
		out[key] = whole(value)
	}
	return out
}

// whole makes the numbers of YAML what they are in objects of a cluster.
func whole(value any) any {
	switch v := value.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case map[string]any:
		for key, item := range v {
			v[key] = whole(item)
		}
	case []any:
		for i, item := range v {
			v[i] = whole(item)
		}
	}
	return value
}

func instance(t *testing.T, spec string) map[string]any {
	t.Helper()
	return object(t, "apiVersion: apps.plait.run/v1alpha1\nkind: Test\nmetadata: {name: one, namespace: shop}\nspec: "+spec)
}

func configMap(name string) plan.Key {
	return plan.Key{Kind: "ConfigMap", Namespace: "shop", Name: name}
}

// children makes observed objects of ours: by name, with the node that they are of and what that needs.
func children(t *testing.T, texts ...string) map[plan.Key]map[string]any {
	t.Helper()
	out := map[plan.Key]map[string]any{}
	for _, text := range texts {
		o := object(t, text)
		out[keyOf(o)] = o
	}
	return out
}

func evaluate(t *testing.T, in Input) plan.Plan {
	t.Helper()
	p, _ := Evaluate(context.Background(), in)
	return p
}

// states prints the nodes of a plan: `id State [waiting for]`.
func states(p plan.Plan) []string {
	var out []string
	for _, n := range p.Nodes {
		line := n.ID + " " + string(n.State)
		if len(n.WaitingFor) > 0 {
			line += " " + strings.Join(n.WaitingFor, ", ")
		}
		out = append(out, line)
	}
	return out
}

// actions prints what a plan does: `Action name`, in document order.
func actions(p plan.Plan) []string {
	var out []string
	for _, n := range p.Nodes {
		for _, o := range n.Objects {
			out = append(out, string(o.Action)+" "+o.Key.Name)
		}
	}
	return out
}
