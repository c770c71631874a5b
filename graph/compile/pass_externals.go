package compile

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// checkExternals checks what can be told beforehand of the objects that nodes read: names, namespaces, selectors.
func checkExternals(s *state) {
	for _, n := range s.nodes {
		meta := n.src.ExternalRef.Get("metadata")
		if n.out.External == nil || meta == nil || meta.Kind != source.Map {
			continue
		}
		s.checkExternalNamespace(n, meta)
		if name := meta.Get("name"); name.Text() != "" && !hasExpression(name.Text()) {
			if faults := graph.NameFaults(n.out.GVK.GroupKind(), name.Text()); len(faults) > 0 {
				s.report(diag.TemplateIdentity, name, fmt.Sprintf("%q cannot be the name of an object: %s", name.Text(), faults[0]), "")
			}
		}
		if selector := meta.Get("selector"); selector != nil && n.out.External.Selector.Literal != nil {
			s.checkSelector(selector, n.out.External.Selector.Literal)
		}
	}
}

func (s *state) checkExternalNamespace(n *node, meta *source.Value) {
	namespace := meta.Get("namespace")
	present := namespace != nil && namespace.Kind != source.Null
	isOne := n.out.Kind == graph.External
	switch {
	case n.out.Installed && present && !n.out.Namespaced:
		s.report(diag.TemplateNamespace, namespace, fmt.Sprintf("%s is cluster-scoped and has no namespace", n.out.GVK.Kind), "Leave metadata.namespace out.")
	case n.out.Installed && !present && n.out.Namespaced && !s.api.namespaced && isOne:
		s.reportAt(diag.TemplateNamespace, place{meta.Path + ".namespace", meta.Position},
			fmt.Sprintf("%s needs a namespace: instances of this group are cluster-scoped and have none to give", n.out.GVK.Kind), "Write metadata.namespace.")
	case present && n.out.External.AllNamespaces && isOne:
		s.report(diag.NodeExternal, namespace, `the namespace "*" is for selectors: an object with a name is in one namespace`, "Write that namespace, or a selector in place of the name.")
	case !present || n.out.External.AllNamespaces || hasExpression(namespace.Text()):
	default:
		s.checkNamespaceName(namespace)
	}
}

// checkNamespaceName checks a namespace that is written out.
func (s *state) checkNamespaceName(at *source.Value) {
	if at.Kind != source.String {
		return
	}
	if faults := validation.IsDNS1123Label(at.Text()); len(faults) > 0 {
		s.report(diag.TemplateNamespace, at, fmt.Sprintf("%q cannot be a namespace: %s", at.Text(), faults[0]), "")
	}
}

// checkSelector holds a selector without expressions against what the API server takes.
func (s *state) checkSelector(at *source.Value, literal any) {
	object, _ := literal.(map[string]any)
	var selector metav1.LabelSelector
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, &selector); err != nil {
		return // a field of another type has been reported
	}
	index := source.NewIndex(at)
	for _, fault := range metavalidation.ValidateLabelSelector(&selector, metavalidation.LabelSelectorValidationOptions{}, field.NewPath(at.Path)) {
		s.reportAt(diag.NodeExternal, place{fault.Field, index.Position(fault.Field)}, fault.ErrorBody(), "")
	}
}
