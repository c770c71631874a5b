package apply

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/managedfields"
)

// Claim is what an instance may do with an object that exists.
type Claim int

// From nothing to everything.
const (
	Foreign    Claim = iota // somebody else's: not to be touched
	Adoptable               // nobody's; may be taken over if the node says so
	Successor               // made by a former instance of this very kind, namespace and name: is taken over
	Recognised              // lost its labels, and is known by its UID
	Ours                    // carries our label and an entry of our manager
)

// Judge tells whose an existing object is. known is the UID that the instance's status gives for it, or empty.
func (o Owner) Judge(live map[string]any, known types.UID) Claim {
	u := unstructured.Unstructured{Object: live}
	uid, _, _ := unstructured.NestedString(live, "metadata", "labels", v1alpha1.LabelInstanceUID)
	applied := managedfields.AppliedBy(live, v1alpha1.FieldManager) != nil
	switch {
	case applied && uid == string(o.UID):
		return Ours
	case applied && known != "" && u.GetUID() == known:
		return Recognised
	case applied && u.GetAnnotations()[v1alpha1.AnnotationInstance] == o.String():
		return Successor
	case isUnowned(u):
		return Adoptable
	default:
		return Foreign
	}
}

func isUnowned(u unstructured.Unstructured) bool {
	for _, ref := range u.GetOwnerReferences() {
		if ref.Controller != nil && *ref.Controller {
			return false
		}
	}
	labels := u.GetLabels()
	for _, k := range []string{v1alpha1.LabelInstanceUID, v1alpha1.LabelOwned, v1alpha1.LabelApplySetPartOf} {
		if labels[k] != "" {
			return false
		}
	}
	return true
}
