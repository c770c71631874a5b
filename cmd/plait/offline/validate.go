package offline

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/plait-run/plait/dynamiccontroller/misspelt"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/crd"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// CheckInstances holds every instance of the set against the API that its group generates, rules included, and every
// other document against its kind, which moves it to Others. What is wrong is added to Problems.
func (s *Set) CheckInstances(ctx context.Context) {
	var instances []*source.Document
	for _, doc := range s.Instances {
		g := s.GraphOf(doc)
		switch {
		case g != nil:
			_, problems := admit(ctx, g, doc)
			s.Problems.Append(problems)
			s.checkAnnotations(doc, misspelt.OnInstance)
		case s.checkOther(doc):
			s.Others = append(s.Others, doc)
			continue
		default:
			s.unknownInstance(doc)
		}
		instances = append(instances, doc)
	}
	s.Instances = instances
}

// unknownInstance reports a document that nothing here serves; of a group that does not compile nothing is said twice.
func (s *Set) unknownInstance(doc *source.Document) {
	for _, group := range s.Groups {
		if group.Graph == nil && group.Source.Schema.Kind.Text() == doc.Kind {
			return
		}
	}
	near := s.nearestKinds(doc)
	if strings.HasPrefix(doc.APIVersion, "kro.run/") && (doc.Kind == groupKind || doc.Kind == "ResourceGraphDefinition") {
		near = "Turn it into a ResourceGroup with `plait convert`."
	}
	if problem, wrong := noObject(doc, near); wrong {
		s.Problems.Add(problem)
		return
	}
	s.Problems.Add(diag.Diagnostic{
		File: doc.File, Path: "kind", Position: positionOf(doc, "kind"), Code: diag.InstanceUnknown, Severity: diag.Warning,
		Summary:    fmt.Sprintf("no group given here serves %s %s: it was not checked", doc.APIVersion, doc.Kind),
		Suggestion: cmp.Or(near, "Name the file of its ResourceGroup with -f or --crds."),
	})
}

// noObject finds a document that can be no instance of any group: without a kind, or a ResourceGroup with a slip in it.
func noObject(doc *source.Document, near string) (problem diag.Diagnostic, wrong bool) {
	problem = diag.Diagnostic{File: doc.File, Position: doc.Root.Position, Code: diag.MissingField}
	group, _, _ := strings.Cut(doc.APIVersion, "/")
	isNear := doc.Kind == groupKind || len(diag.Nearest(doc.Kind, []string{groupKind})) > 0
	switch {
	case doc.APIVersion == "":
		problem.Path, problem.Summary = "apiVersion", "apiVersion is missing: this is no Kubernetes object"
		problem.Suggestion = "Start a ResourceGroup with apiVersion: " + groupAPIVersion + " and kind: " + groupKind + "."
	case doc.Kind == "":
		problem.Path, problem.Summary = "kind", "kind is missing: this is no Kubernetes object"
	case group == "plait.run" || isNear:
		problem.Path, problem.Position, problem.Code = "kind", positionOf(doc, "kind"), diag.InstanceUnknown
		problem.Summary = fmt.Sprintf("there is no kind %s in %s", doc.Kind, doc.APIVersion)
		problem.Suggestion = cmp.Or(near, "Did you mean "+groupKind+" in "+groupAPIVersion+"?")
	default:
		return problem, false
	}
	return problem, true
}

func positionOf(doc *source.Document, key string) diag.Position {
	if v := doc.Root.Get(key); v != nil {
		return v.Position
	}
	return doc.Root.Position
}

// admit does what the API server does with a new instance: prune, default, validate. The object is nil when it
// is refused.
func admit(ctx context.Context, g *graph.Graph, doc *source.Document) (map[string]any, diag.List) {
	var problems diag.List
	index := source.NewIndex(doc.Root)
	object, _ := doc.Root.Plain().(map[string]any)
	if g.IsNamespaced() && doc.Root.Get("metadata").Get("namespace") == nil {
		setNamespace(object, "default")
	}
	admitted, pruned, faults := crd.ValidateInstance(ctx, g.CRD(), object)
	for _, path := range pruned {
		problems.Add(diag.Diagnostic{
			File: doc.File, Path: path, Position: index.Position(path), Code: diag.InstancePruned, Severity: diag.Warning,
			Summary: fmt.Sprintf("%s is no field of %s: the API server drops it", path, doc.Kind),
		})
	}
	for _, fault := range faults {
		problems.Add(diag.Diagnostic{
			File: doc.File, Path: fault.Field, Position: index.Position(fault.Field), Code: diag.InstanceInvalid,
			Summary: faultText(fault),
		})
	}
	if len(faults) > 0 {
		return nil, problems
	}
	return admitted, problems
}

func faultText(fault *field.Error) string { return fault.ErrorBody() }

func setNamespace(object map[string]any, namespace string) {
	if meta, ok := object["metadata"].(map[string]any); ok {
		meta["namespace"] = namespace
	}
}
