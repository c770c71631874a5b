package mirror

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/managedfields"
)

// Claim is what a consumer's object may do with an object at the provider that has its copy's name.
type Claim int

// From nothing to everything.
const (
	Foreign    Claim = iota // somebody else's: not to be touched
	Collision               // the copy of an object of another namespace of this cluster, which is mapped to the same one
	Adoptable               // nobody's: may be taken over where the binding says so
	Successor               // the copy of a former object of this namespace and name: is taken over
	Recognised              // lost its marks, and is known by its UID
	Ours                    // carries our marks and an entry of our manager
)

// Judge tells whose an object at the provider is. known is the UID of the copy that was written last, or empty.
func (m Maker) Judge(live, obj *unstructured.Unstructured, known types.UID) Claim {
	w, annotations := m.words(), live.GetAnnotations()
	applied := m.hasApplied(live)
	isOfCluster := applied && annotations[w.cluster] == string(m.Cluster)
	origin := annotations[v1alpha1.AnnotationConsumerNamespace]
	switch {
	case isOfCluster && m.Prefix != "" && origin != "" && origin != obj.GetNamespace():
		return Collision
	case isOfCluster && annotations[w.object] == string(obj.GetUID()):
		return Ours
	case applied && known != "" && live.GetUID() == known:
		return Recognised
	case isOfCluster && annotations[w.object] != "":
		return Successor
	case isUnowned(live):
		return Adoptable
	default:
		return Foreign
	}
}

// IsMade tells whether an object is a copy that this very binding has made, whatever has become of its origin.
func (m Maker) IsMade(live *unstructured.Unstructured) bool {
	w, annotations := m.words(), live.GetAnnotations()
	return m.hasApplied(live) && annotations[w.cluster] == string(m.Cluster) &&
		annotations[w.object] != "" && annotations[v1alpha1.AnnotationBindingUID] == string(m.Binding)
}

func (m Maker) hasApplied(live *unstructured.Unstructured) bool {
	return managedfields.AppliedBy(live.Object, m.Manager()) != nil
}

// marks are the keys by which something belongs to Plait, here or elsewhere.
var marks = []string{
	v1alpha1.LabelConsumerClusterUID, v1alpha1.AnnotationConsumerObjectUID, v1alpha1.AnnotationProviderObjectUID,
	v1alpha1.LabelInstanceUID, v1alpha1.LabelOwned, v1alpha1.LabelManaged, v1alpha1.LabelApplySetPartOf,
}

func isUnowned(live *unstructured.Unstructured) bool {
	for _, reference := range live.GetOwnerReferences() {
		if reference.Controller != nil && *reference.Controller {
			return false
		}
	}
	labels, annotations := live.GetLabels(), live.GetAnnotations()
	return !slices.ContainsFunc(marks, func(key string) bool { return labels[key] != "" || annotations[key] != "" })
}

// IsAdopted tells whether a copy was there before us, so that it is released instead of deleted.
func IsAdopted(live *unstructured.Unstructured) bool {
	return live.GetAnnotations()[v1alpha1.AnnotationAdopted] == v1alpha1.True
}

// ConflictOf says what stands in an object's way, in words for its user.
func ConflictOf(claim Claim, live *unstructured.Unstructured) Problem {
	where := live.GetName()
	if live.GetNamespace() != "" {
		where = live.GetNamespace() + "/" + live.GetName()
	}
	switch owner := live.GetAnnotations()[v1alpha1.AnnotationConsumerClusterUID]; {
	case claim == Collision:
		return Problem{v1alpha1.ReasonNamespaceCollision, fmt.Sprintf("the provider has %s already, as the copy of an object of namespace %q: "+
			"both namespaces are mapped to one; give one of them another name", where, live.GetAnnotations()[v1alpha1.AnnotationConsumerNamespace])}
	case claim == Adoptable:
		return Problem{v1alpha1.ReasonObjectNotOwned, fmt.Sprintf("the provider has %s already, and Plait did not make it: "+
			"rename this object, have that one deleted, or set conflictPolicy: Adopt on the binding to take it over", where)}
	case owner != "":
		return Problem{v1alpha1.ReasonObjectNotOwned, fmt.Sprintf("the provider has %s already, and it belongs to another consumer cluster: "+
			"rename this object, or set namespaceMapping on the binding", where)}
	default:
		return Problem{v1alpha1.ReasonObjectNotOwned, fmt.Sprintf("the provider has %s already, and somebody else owns it: "+
			"rename this object, or have that one deleted", where)}
	}
}

// NamespaceTaken says that the provider's namespace for one of this cluster is another one's.
func NamespaceTaken(ours, theirs, rival string) Problem {
	return Problem{v1alpha1.ReasonNamespaceCollision, fmt.Sprintf("namespaces %q and %q are both mapped to namespace %q of the provider: "+
		"give one of them another name", ours, rival, theirs)}
}
