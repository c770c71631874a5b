package resourcegroup

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// maxDiagnostics is what the message of GraphAccepted holds, in bytes.
const maxDiagnostics = 32 << 10

// maxQuiet is how many passes in a row say nothing of what cannot be told yet: caches take a moment after a start.
const maxQuiet = 5

// compile makes a graph of the spec if it has changed, or a kind that it uses has. What cannot be told now leaves
// everything as it is.
func (r *Reconciler) compile(ctx context.Context, p *pass) (step.Outcome, error) {
	m := p.memory
	spec := specOf(p.group)
	if m.hash == "" || m.generation != p.group.GetGeneration() {
		m.hash, m.generation = hashOf(spec), p.group.GetGeneration()
	}
	hash := m.hash
	if m.compiled == hash && !r.memories.takeStale(p.name) {
		r.sayAccepted(p)
		return step.Next(), nil
	}
	g, problems, err := r.compileSpec(ctx, p.name, spec)
	if err != nil {
		p.err = err
		p.say(v1alpha1.ConditionKindsAvailable, "Unknown", v1alpha1.ReasonGroupUnavailable, err.Error())
		m.compiled = ""
		m.failures++
		p.quiet = m.failures <= maxQuiet
		r.sayAccepted(p)
		return step.Next(), nil
	}
	m.failures = 0
	m.compiled, m.accepted, m.problems = hash, g, textOf(problems)
	if g != nil {
		r.memories.note(p.name, g)
	} else {
		r.memories.noteNamed(p.name, source.KindsOf(spec))
	}
	r.sayAccepted(p)
	return step.Next(), nil
}

// compileSpec decodes and compiles a spec. A panic is this group's problem: it comes back as a diagnostic.
func (r *Reconciler) compileSpec(ctx context.Context, name string, spec map[string]any) (g *graph.Graph, problems diag.List, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			r.deps.Log.Error(fmt.Errorf("panic: %v", cause), "compiling a ResourceGroup", "group", name, "stack", string(debug.Stack()))
			g, err = nil, nil
			problems.Add(diag.Diagnostic{
				Code: diag.InvalidValue, Path: "spec", Summary: fmt.Sprintf("the compiler failed on this document: %v", cause),
				Suggestion: "this is a mistake in Plait: please report it with the document",
			})
		}
	}()
	document := source.NewDocument("", source.FromPlain(map[string]any{
		"apiVersion": v1alpha1.GroupVersion.String(), "kind": v1alpha1.KindResourceGroup,
		"metadata": map[string]any{"name": name}, "spec": spec,
	}))
	group, mapping := source.MapGroup(document)
	g, problems, err = r.deps.Compile(ctx, group)
	mapping.Append(problems)
	if mapping.HasErrors() {
		g = nil
	}
	return g, mapping, err
}

// sayAccepted tells what is known of the spec.
func (r *Reconciler) sayAccepted(p *pass) {
	m := p.memory
	switch {
	case m.compiled == "":
		p.say(v1alpha1.ConditionGraphAccepted, "Unknown", v1alpha1.ReasonGroupUnavailable, "the document could not be checked yet")
		return
	case m.accepted == nil:
		p.say(v1alpha1.ConditionGraphAccepted, "False", v1alpha1.ReasonInvalidGraph, m.problems)
		return
	}
	message := "the document compiles"
	if m.problems != "" {
		message = m.problems
	}
	p.say(v1alpha1.ConditionGraphAccepted, "True", v1alpha1.ReasonValid, message)
	if absent := m.accepted.Absent(); len(absent) > 0 {
		p.say(v1alpha1.ConditionKindsAvailable, "False", v1alpha1.ReasonKindNotInstalled, r.absentText(absent))
		return
	}
	p.say(v1alpha1.ConditionKindsAvailable, "True", v1alpha1.ReasonAvailable, "every kind that the nodes use is installed")
}

// absentText tells of kinds that are not installed: first of those that somebody exports to this cluster.
func (r *Reconciler) absentText(absent []schema.GroupVersionKind) string {
	var parts, unknown []string
	for _, kind := range absent {
		hint := ""
		if r.deps.Exports != nil {
			hint = r.deps.Exports.Hint(kind.GroupKind())
		}
		switch {
		case hint == "":
			unknown = append(unknown, kind.GroupKind().String())
		case !slices.Contains(parts, hint):
			parts = append(parts, hint)
		}
	}
	if len(unknown) > 0 {
		parts = append(parts, "not installed: "+strings.Join(unknown, ", ")+"; nodes of these kinds wait until they are")
	}
	return strings.Join(parts, "; ")
}

// textOf writes as many diagnostics as fit, and counts the rest.
func textOf(problems diag.List) string {
	all := problems.Sorted()
	var b strings.Builder
	for i, d := range all {
		text := d.String()
		if b.Len()+len(text)+64 > maxDiagnostics {
			fmt.Fprintf(&b, "and %d more", len(all)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text)
	}
	return b.String()
}

func specOf(group *unstructured.Unstructured) map[string]any {
	spec, _ := group.Object["spec"].(map[string]any)
	return spec
}
