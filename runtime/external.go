package runtime

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/runtime/plan"
	"github.com/plait-run/plait/runtime/template"
)

// external reads one object. It waits until there is one.
func (e *evaluator) external(n *graph.Node) *outcome {
	found := e.findings(n)
	vars := e.scope(n)
	want := plan.Want{Resource: n.Resource, Kind: n.GVK.Kind}
	want.Name = e.textOf(n.External.Name, vars, found)
	want.Namespace = e.externalNamespace(n, vars, found)
	if out := found.outcome(); out != nil {
		return out
	}
	if want.Namespace == "" && n.Namespaced {
		return failed(n, plan.ReasonInvalidInput, n.Path+".externalRef.metadata.namespace: a cluster-scoped instance has no namespace to give; write one")
	}
	subject := plan.Key{Group: n.GVK.Group, Kind: n.GVK.Kind, Namespace: want.Namespace, Name: want.Name}.String()
	reading, out := e.reading(n, want, subject)
	if out != nil {
		return out
	}
	if len(reading.Objects) == 0 {
		return waiting(n, subject)
	}
	return e.checkReady(ready(n, reading.Objects[0]), []any{reading.Objects[0]})
}

// externalList reads the objects that a selector matches; none is a list too.
func (e *evaluator) externalList(n *graph.Node) *outcome {
	found := e.findings(n)
	vars := e.scope(n)
	want := plan.Want{Resource: n.Resource, Kind: n.GVK.Kind}
	want.Selector = e.selectorOf(n, vars, found)
	want.Namespace = e.externalNamespace(n, vars, found)
	if out := found.outcome(); out != nil {
		return out
	}
	subject := fmt.Sprintf("%s objects with %s", n.GVK.Kind, want.Selector)
	reading, out := e.reading(n, want, subject)
	if out != nil {
		return out
	}
	list := make([]any, len(reading.Objects))
	for i, object := range reading.Objects {
		list[i] = object
	}
	return e.checkReady(ready(n, list), list)
}

// reading gives what was read for a want, or why there is nothing to go by.
func (e *evaluator) reading(n *graph.Node, want plan.Want, subject string) (Reading, *outcome) {
	e.wants[want] = true
	reading, known := e.in.Observed.Externals[want]
	if e.read != nil {
		reading, known = e.read(want), true
	}
	switch {
	case reading.Denied != "":
		out := failed(n, plan.ReasonForbidden, fmt.Sprintf("reading %s: %s", subject, reading.Denied))
		out.denied = true
		return reading, out
	case !known || !reading.Synced:
		out := waiting(n, subject)
		out.plan.Message = "reading " + subject
		out.unread = true
		return reading, out
	}
	return reading, nil
}

func (e *evaluator) externalNamespace(n *graph.Node, vars expr.Vars, found *findings) string {
	switch {
	case !n.Namespaced || n.External.AllNamespaces:
		return ""
	case n.External.Namespace == nil:
		return e.namespace
	default:
		return e.textOf(n.External.Namespace, vars, found)
	}
}

// textOf renders a name or namespace, which must not be empty.
func (e *evaluator) textOf(body *graph.Body, vars expr.Vars, found *findings) string {
	out := template.Render(body, e.evaluatorOf(vars), template.Object)
	found.add(out)
	value, isText := out.Value.(string)
	if len(out.Faults)+len(out.Missing) == 0 && (!isText || value == "") {
		found.fail(plan.ReasonInvalidInput, body.Path+": it comes out empty; name what to read")
	}
	return value
}

// selectorOf renders a label selector and gives its canonical form.
func (e *evaluator) selectorOf(n *graph.Node, vars expr.Vars, found *findings) string {
	out := template.Render(n.External.Selector, e.evaluatorOf(vars), template.Object)
	found.add(out)
	if len(out.Faults)+len(out.Missing) > 0 {
		return ""
	}
	selector, err := canonicalSelector(out.Value)
	if err != nil {
		found.fail(plan.ReasonInvalidInput, fmt.Sprintf("%s: it is no label selector: %v", n.External.Selector.Path, err))
	}
	return selector
}

func canonicalSelector(value any) (string, error) {
	encoded, err := json.Marshal(value)
	if err != nil {
		return "", fmt.Errorf("encoding it: %w", err)
	}
	var selector metav1.LabelSelector
	if err := json.Unmarshal(encoded, &selector); err != nil {
		return "", fmt.Errorf("decoding it: %w", err)
	}
	parsed, err := metav1.LabelSelectorAsSelector(&selector)
	if err != nil {
		return "", fmt.Errorf("parsing it: %w", err)
	}
	return parsed.String(), nil
}
