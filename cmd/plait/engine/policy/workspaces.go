package policy

import (
	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// WorkspacesName is that of the policy of Workspaces and of its binding.
const WorkspacesName = "plait-workspace-service-accounts"

// Workspaces gives the policy that asks whether the author of a Workspace may impersonate the service account that it
// names. It concerns only spec.mount, so that the engine's own writes of URL and status pass.
func Workspaces() *admissionv1.ValidatingAdmissionPolicy {
	fail, forbidden, invalid := admissionv1.Fail, metav1.StatusReasonForbidden, metav1.StatusReasonInvalid
	return &admissionv1.ValidatingAdmissionPolicy{
		TypeMeta:   metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "ValidatingAdmissionPolicy"},
		ObjectMeta: metav1.ObjectMeta{Name: WorkspacesName, Labels: labels()},
		Spec: admissionv1.ValidatingAdmissionPolicySpec{
			FailurePolicy:    &fail,
			MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{written("workspaces")}},
			MatchConditions: []admissionv1.MatchCondition{
				{Name: "names-an-account", Expression: "has(object.spec.mount.serviceAccountName) && object.spec.mount.serviceAccountName != ''"},
				{Name: "mount-is-new", Expression: "request.operation == 'CREATE' || object.spec.mount != oldObject.spec.mount"},
			},
			Variables: []admissionv1.Variable{
				{Name: "parts", Expression: "object.spec.mount.serviceAccountName.split('/')"},
				{Name: "place", Expression: "variables.parts.size() == 2 ? variables.parts[0] : " +
					"has(object.spec.mount.ref.namespace) ? object.spec.mount.ref.namespace : ''"},
				{Name: "name", Expression: "variables.parts[variables.parts.size() - 1]"},
			},
			Validations: []admissionv1.Validation{
				{
					Expression: "variables.place != ''", Reason: &invalid,
					Message: "spec.mount.serviceAccountName: for an object that is in no namespace write namespace/name",
				},
				{
					Expression: "authorizer.group('').resource('serviceaccounts').namespace(variables.place).name(variables.name)" +
						".check('impersonate').allowed()",
					Reason: &forbidden,
					MessageExpression: "'spec.mount.serviceAccountName names a service account that the author may not use; needed is the right to impersonate '" +
						" + variables.place + '/' + variables.name",
				},
			},
		},
	}
}
