package policy

import (
	"fmt"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Name is that of the policy and of its binding.
const Name = "plait-service-accounts"

// maxEntries is how many service accounts a group may name: an expression may ask the authorizer twice, and a policy 28
// times, until their budgets are spent.
const maxEntries = 28

// New gives the policy. With required a group that names no service account at all is refused too.
func New(required bool) *admissionv1.ValidatingAdmissionPolicy {
	fail := admissionv1.Fail
	return &admissionv1.ValidatingAdmissionPolicy{
		TypeMeta:   metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "ValidatingAdmissionPolicy"},
		ObjectMeta: metav1.ObjectMeta{Name: Name, Labels: labels()},
		Spec: admissionv1.ValidatingAdmissionPolicySpec{
			FailurePolicy:    &fail,
			MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{written("resourcegroups", "resourcegrouprevisions")}},
			MatchConditions:  []admissionv1.MatchCondition{specIsNew()},
			Variables:        variables(),
			Validations:      validations(required),
		},
	}
}

// Binding makes the API server deny what the policy of a name refuses.
func Binding(name string) *admissionv1.ValidatingAdmissionPolicyBinding {
	return &admissionv1.ValidatingAdmissionPolicyBinding{
		TypeMeta:   metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "ValidatingAdmissionPolicyBinding"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels()},
		Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: name, ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny},
		},
	}
}

func labels() map[string]string {
	return map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedByPlait}
}

func specIsNew() admissionv1.MatchCondition {
	return admissionv1.MatchCondition{Name: "spec-is-new", Expression: "request.operation == 'CREATE' || object.spec != oldObject.spec"}
}

// written selects the writes of resources of Plait's own.
func written(resources ...string) admissionv1.NamedRuleWithOperations {
	return admissionv1.NamedRuleWithOperations{RuleWithOperations: admissionv1.RuleWithOperations{
		Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
		Rule: admissionv1.Rule{
			APIGroups: []string{v1alpha1.GroupVersion.Group}, APIVersions: []string{"*"}, Resources: resources,
		},
	}}
}

// validations look at two entries each, since more checks would spend the budget of an expression.
func validations(required bool) []admissionv1.Validation {
	forbidden, invalid := metav1.StatusReasonForbidden, metav1.StatusReasonInvalid
	out := []admissionv1.Validation{{
		Expression: fmt.Sprintf("variables.unsorted.size() <= %d", maxEntries), Reason: &invalid,
		Message: fmt.Sprintf("spec.defaultServiceAccounts: at most %d entries can be checked", maxEntries),
	}}
	out = append(out, admissionv1.Validation{
		// The engine writes revisions, and whoever may write what only the engine writes is taken for it: a revision can
		// become what is served, past all that was asked of the author of its group.
		Expression: "request.resource.resource != 'resourcegrouprevisions' || " +
			"authorizer.group('plait.run').resource('resourcegroups').subresource('status').check('patch').allowed()", Reason: &forbidden,
		Message: "only the engine makes revisions: edit the ResourceGroup, which makes a new one",
	})
	if required {
		out = append(out, admissionv1.Validation{
			Expression: "request.resource.resource != 'resourcegroups' || has(object.spec.defaultServiceAccounts)", Reason: &invalid,
			Message: "spec.defaultServiceAccounts is missing: name the service account that writes the children, " +
				"for each namespace or by the key \"*\" for all",
		})
	}
	for first := 0; first < maxEntries; first += 2 {
		out = append(out, admissionv1.Validation{
			Expression: fmt.Sprintf("%s && %s", mayUse(first), mayUse(first+1)), Reason: &forbidden,
			MessageExpression: fmt.Sprintf("'spec.defaultServiceAccounts names a service account that the author may not use; needed is the right to impersonate '"+
				" + variables.labels[%[1]d] + (variables.keys.size() > %[2]d ? ' and ' + variables.labels[%[2]d] : '')", first, first+1),
		})
	}
	return out
}

func mayUse(entry int) string {
	return fmt.Sprintf("(variables.keys.size() <= %[1]d || authorizer.group('').resource('serviceaccounts')"+
		".namespace(variables.namespaces[%[1]d]).name(variables.names[%[1]d]).check('impersonate').allowed())", entry)
}
