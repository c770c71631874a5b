package compile

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// checkIdentity checks what makes an object that object: its name and namespace, and what only the engine may set.
func checkIdentity(s *state) {
	for _, n := range s.nodes {
		if n.out.Kind != graph.Template || n.src.Template == nil || n.src.Template.Kind != source.Map {
			continue
		}
		meta := n.src.Template.Get("metadata")
		if meta == nil || meta.Kind == source.Map {
			s.checkName(n, meta)
			s.checkNamespace(n, meta)
			s.checkReserved(meta)
		}
		s.warnOfItemNames(n)
	}
}

func (s *state) checkName(n *node, meta *source.Value) {
	at := place{n.src.Template.Path + ".metadata.name", n.src.Template.Position}
	if meta != nil {
		at.at = meta.Position
	}
	name := meta.Get("name")
	if generate := meta.Get("generateName"); generate != nil {
		s.report(diag.TemplateIdentity, generate, "a template cannot have generateName: the object would be made anew at every pass", "Write metadata.name.")
		return
	}
	if name == nil || name.Kind == source.Null {
		s.reportAt(diag.TemplateIdentity, at, "metadata.name is missing", "Write a name, with an expression such as ${schema.metadata.name}.")
		return
	}
	if name.Kind != source.String || hasExpression(name.Text()) {
		return // checked against the schema, or when it is known
	}
	if faults := graph.NameFaults(n.out.GVK.GroupKind(), name.Text()); len(faults) > 0 {
		s.report(diag.TemplateIdentity, name, fmt.Sprintf("%q cannot be the name of an object: %s", name.Text(), faults[0]), "")
	}
}

func (s *state) checkNamespace(n *node, meta *source.Value) {
	namespace := meta.Get("namespace")
	present := namespace != nil && namespace.Kind != source.Null
	switch {
	case !n.out.Installed:
	case present && !n.out.Namespaced:
		s.report(diag.TemplateNamespace, namespace, fmt.Sprintf("%s is cluster-scoped and has no namespace", n.out.GVK.Kind), "Leave metadata.namespace out.")
	case !present && n.out.Namespaced && !s.api.namespaced:
		at := place{n.src.Template.Path + ".metadata.namespace", n.src.Template.Position}
		if meta != nil {
			at.at = meta.Position
		}
		s.reportAt(diag.TemplateNamespace, at,
			fmt.Sprintf("%s needs a namespace: instances of this group are cluster-scoped and have none to give", n.out.GVK.Kind), "Write metadata.namespace.")
	}
	if present && !hasExpression(namespace.Text()) {
		s.checkNamespaceName(namespace)
	}
}

// ownMarks are the labels and annotations that the engine writes on children.
var ownMarks = map[string]bool{
	"plait.run/owned": true, "plait.run/instance-uid": true, "plait.run/bucket": true,
	"applyset.kubernetes.io/part-of": true, "app.kubernetes.io/managed-by": true,
	"plait.run/instance": true, "plait.run/node": true, "plait.run/needs": true,
	"plait.run/applied-hash": true, "plait.run/item": true,
}

// serverFields are the metadata that the API server sets.
var serverFields = []string{
	"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
	"managedFields", "selfLink",
}

func (s *state) checkReserved(meta *source.Value) {
	for _, field := range serverFields {
		if v := meta.Get(field); v != nil {
			s.report(diag.TemplateReserved, v, fmt.Sprintf("metadata.%s is set by the API server", field), "Leave it out.")
		}
	}
	for _, part := range []string{"labels", "annotations"} {
		values := meta.Get(part)
		if values == nil {
			continue
		}
		for _, f := range values.Fields {
			if ownMarks[f.Key] {
				s.report(diag.TemplateReserved, f.Value, fmt.Sprintf("%s is set by Plait itself", f.Key), "Use another key.")
			}
			s.checkMark(part == "labels", f)
		}
	}
}

// checkMark checks what is written out of a label or annotation as the API server does.
func (s *state) checkMark(isLabel bool, f source.Field) {
	key := f.Key
	if !isLabel {
		key = strings.ToLower(key)
	}
	if !hasExpression(key) {
		for _, why := range validation.IsQualifiedName(key) {
			s.reportAt(diag.TemplateValue, place{f.Value.Path, f.KeyPosition}, fmt.Sprintf("%q cannot be the key of a label or annotation: %s", f.Key, why), "")
		}
	}
	if isLabel && f.Value.Kind == source.String && !hasExpression(f.Value.Text()) {
		for _, why := range validation.IsValidLabelValue(f.Value.Text()) {
			s.report(diag.TemplateValue, f.Value, fmt.Sprintf("%q cannot be the value of a label: %s", f.Value.Text(), why), "")
		}
	}
}

// warnOfItemNames tells of a collection whose items would share one name.
func (s *state) warnOfItemNames(n *node) {
	if len(n.src.ForEach) == 0 {
		return
	}
	used := map[string]bool{}
	for _, t := range n.texts {
		if t.prog == nil || t.field != "template.metadata.name" && t.field != "template.metadata.namespace" {
			continue
		}
		for _, ref := range t.prog.References() {
			used[ref.Name] = true
		}
	}
	for i, it := range n.src.ForEach {
		program := n.out.ForEach[i].Program
		if used[it.Name] || program == nil {
			continue
		}
		if items, ok := program.LiteralItems(); ok && items <= 1 {
			continue
		}
		s.warn(diag.GraphItemNames, place{it.Value.Path, it.Value.Position},
			fmt.Sprintf("no name uses the iterator %q: two items would be one object", it.Name),
			fmt.Sprintf("write ${%s} into metadata.name", it.Name))
	}
}
