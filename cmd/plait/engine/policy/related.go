package policy

import (
	"fmt"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
)

// RelatedName is that of the policy about what travels with bound objects, and of its binding.
const RelatedName = "plait-related-resources"

// NewRelated gives the policy that asks whether the author of a binding may do with Secrets and ConfigMaps what the engine
// is to do for it: read those that go to the provider, create those that come from there. A Binding is about its own
// namespace, a ClusterBinding about all.
func NewRelated() *admissionv1.ValidatingAdmissionPolicy {
	fail := admissionv1.Fail
	return &admissionv1.ValidatingAdmissionPolicy{
		TypeMeta:   metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "ValidatingAdmissionPolicy"},
		ObjectMeta: metav1.ObjectMeta{Name: RelatedName, Labels: labels()},
		Spec: admissionv1.ValidatingAdmissionPolicySpec{
			FailurePolicy:    &fail,
			MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{written("clusterbindings", "bindings")}},
			MatchConditions:  []admissionv1.MatchCondition{specIsNew()},
			Variables: []admissionv1.Variable{
				{Name: "related", Expression: "has(object.spec.relatedResources) ? object.spec.relatedResources : []"},
				{Name: "place", Expression: "has(object.metadata.namespace) ? object.metadata.namespace : ''"},
				{Name: "where", Expression: "variables.place == '' ? 'in all namespaces' : 'in namespace ' + variables.place"},
			},
			Validations: relatedValidations(),
		},
	}
}

func relatedValidations() []admissionv1.Validation {
	var out []admissionv1.Validation
	for _, resource := range []v1alpha1.RelatedResourceKind{v1alpha1.RelatedSecrets, v1alpha1.RelatedConfigMaps} {
		out = append(out, mayRelate(resource, v1alpha1.FromConsumer, "get", "list"), mayRelate(resource, v1alpha1.FromProvider, "create"))
	}
	return out
}

func mayRelate(resource v1alpha1.RelatedResourceKind, direction v1alpha1.SyncDirection, verbs ...string) admissionv1.Validation {
	forbidden := metav1.StatusReasonForbidden
	expression := fmt.Sprintf("!variables.related.exists(r, r.resource == '%s' && r.direction == '%s')", resource, direction)
	rights, and := "", ""
	for i, verb := range verbs {
		checked := fmt.Sprintf("authorizer.group('').resource('%s').namespace(variables.place).check('%s').allowed()", resource, verb)
		if i == 0 {
			expression += " || (" + checked
		} else {
			expression += " && " + checked
		}
		rights, and = rights+and+verb, " and "
	}
	return admissionv1.Validation{
		Expression: expression + ")", Reason: &forbidden,
		MessageExpression: fmt.Sprintf("'spec.relatedResources has %s %s: its author needs the right to %s %s ' + variables.where",
			resource, direction, rights, resource),
	}
}
