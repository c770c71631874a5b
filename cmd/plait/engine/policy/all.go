package policy

import admissionv1 "k8s.io/api/admissionregistration/v1"

// All gives every policy, as a chart ships them. With required a group that names no service account at all is refused.
func All(required bool) []*admissionv1.ValidatingAdmissionPolicy {
	return []*admissionv1.ValidatingAdmissionPolicy{New(required), NewRelated(), Workspaces()}
}
