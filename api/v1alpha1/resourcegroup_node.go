package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A Node is one entry of the graph. It has exactly one body: a template to apply, an
// externalRef to read, or a def to compute.
//
// +kubebuilder:pruning:PreserveUnknownFields
type Node struct {
	// Name of the node, by which expressions refer to it. Always needed, and unique within
	// the ResourceGroup: a lower-case letter, then letters and digits.
	// +optional
	ID string `json:"id,omitempty"`

	// The object to apply. Every string in it may hold ${expressions}, map keys too, but
	// apiVersion and kind are literal.
	// +optional
	// +kubebuilder:validation:Type=object
	// +mapType=atomic
	// +kubebuilder:pruning:PreserveUnknownFields
	Template *runtime.RawExtension `json:"template,omitempty"`

	// An object, or several, that exist without this ResourceGroup. They are read and
	// watched, never written, labelled or deleted.
	// +optional
	ExternalRef *ExternalRef `json:"externalRef,omitempty"`

	// Values computed from ${expressions}, for other nodes to use. Nothing is applied.
	// +optional
	// +kubebuilder:validation:Type=object
	// +mapType=atomic
	// +kubebuilder:pruning:PreserveUnknownFields
	Def *runtime.RawExtension `json:"def,omitempty"`

	// Expressions that say whether the node is wanted: all must be true. A node that is
	// not wanted is left out together with every node that needs it, and what it had
	// applied is deleted. Default: always wanted.
	// +optional
	// +listType=atomic
	IncludeWhen []string `json:"includeWhen,omitempty"`

	// Expressions that say whether the node is ready for those that need it: all must be
	// true. They see the node itself by its id or as `self`, for a collection each object
	// as `each`, and the instance as `schema`. Default: ready when the object exists.
	// +optional
	// +listType=atomic
	ReadyWhen []string `json:"readyWhen,omitempty"`

	// Makes the node a collection: one object for each item of a list. Each entry names one
	// iterator and the expression of its list; several entries make every combination, the
	// first one outermost. Other nodes see the collection as a list in that order.
	// +optional
	// +listType=atomic
	ForEach []map[string]string `json:"forEach,omitempty"`

	// Ids of nodes that must be ready first, although this one uses nothing of them.
	// Default: none.
	// +optional
	// +listType=atomic
	DependsOn []string `json:"dependsOn,omitempty"`

	// How the object is created, shared with others, replaced and deleted.
	// +optional
	Lifecycle *Lifecycle `json:"lifecycle,omitempty"`
}

// An ExternalRef points at objects that exist without the ResourceGroup.
//
// +kubebuilder:pruning:PreserveUnknownFields
type ExternalRef struct {
	// API version of the objects, such as apps/v1. Literal; always needed.
	// +optional
	APIVersion string `json:"apiVersion,omitempty"`

	// Kind of the objects. Literal; always needed.
	// +optional
	Kind string `json:"kind,omitempty"`

	// Which object or objects. Always needed.
	// +optional
	Metadata *ExternalRefMetadata `json:"metadata,omitempty"`
}

// ExternalRefMetadata says which objects are meant: one by name, or all that a selector
// matches. Exactly one of name and selector is needed.
//
// +kubebuilder:pruning:PreserveUnknownFields
type ExternalRefMetadata struct {
	// Name of the one object; may hold ${expressions}. The node waits until it exists.
	// +optional
	Name string `json:"name,omitempty"`

	// Namespace of the objects; may hold ${expressions}. "*" with a selector means all
	// namespaces. Default: the instance's namespace; for a selector of a cluster-scoped
	// instance all namespaces.
	// +optional
	Namespace string `json:"namespace,omitempty"`

	// Labels that select the objects; values may hold ${expressions}. The node is the list
	// of them, sorted by namespace and name, and may be empty.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
}

// A Lifecycle says how the object of a node is created, shared, replaced and deleted.
//
// +kubebuilder:pruning:PreserveUnknownFields
type Lifecycle struct {
	// What happens to the object when the instance is deleted or the node is no longer
	// wanted. Delete deletes it. Orphan takes Plait's marks off it and leaves it. Default:
	// Delete.
	// +optional
	Deletion LifecycleDeletion `json:"deletion,omitempty"`

	// What happens when the object exists already and Plait did not make it. Never fails.
	// IfUnowned takes it over if nobody owns it. Default: Never.
	// +optional
	Adoption LifecycleAdoption `json:"adoption,omitempty"`

	// What happens when another field manager owns a field of the template. Force takes
	// the field over. Fail leaves it and reports the conflict. Default: Force.
	// +optional
	Conflict LifecycleConflict `json:"conflict,omitempty"`

	// What happens when the template changes a field that cannot be changed. Never fails.
	// OnImmutable deletes the object and makes it anew; it needs `deletion: Delete`.
	// Default: Never.
	// +optional
	Recreate LifecycleRecreate `json:"recreate,omitempty"`

	// Paths such as spec.replicas that are set when the object is created and then left to
	// others. Default: none.
	// +optional
	// +listType=atomic
	IgnoreFields []string `json:"ignoreFields,omitempty"`
}

// LifecycleDeletion says what becomes of an object that is no longer wanted.
//
// +kubebuilder:validation:Enum=Delete;Orphan
type LifecycleDeletion string

// The values of LifecycleDeletion.
const (
	// LifecycleDeletionDelete deletes the object.
	LifecycleDeletionDelete LifecycleDeletion = "Delete"
	// LifecycleDeletionOrphan takes Plait's marks off it and leaves it.
	LifecycleDeletionOrphan LifecycleDeletion = "Orphan"
)

// LifecycleAdoption says whether an object that Plait did not make may be taken over.
//
// +kubebuilder:validation:Enum=Never;IfUnowned
type LifecycleAdoption string

// The values of LifecycleAdoption.
const (
	// LifecycleAdoptionNever takes nothing over.
	LifecycleAdoptionNever LifecycleAdoption = "Never"
	// LifecycleAdoptionIfUnowned takes over what nobody owns.
	LifecycleAdoptionIfUnowned LifecycleAdoption = "IfUnowned"
)

// LifecycleConflict says who wins when another manager owns a field of the template.
//
// +kubebuilder:validation:Enum=Force;Fail
type LifecycleConflict string

// The values of LifecycleConflict.
const (
	// LifecycleConflictForce takes the field over.
	LifecycleConflictForce LifecycleConflict = "Force"
	// LifecycleConflictFail leaves it to the other manager and reports that.
	LifecycleConflictFail LifecycleConflict = "Fail"
)

// LifecycleRecreate says when an object may be deleted and made anew.
//
// +kubebuilder:validation:Enum=Never;OnImmutable
type LifecycleRecreate string

// The values of LifecycleRecreate.
const (
	// LifecycleRecreateNever never replaces an object.
	LifecycleRecreateNever LifecycleRecreate = "Never"
	// LifecycleRecreateOnImmutable replaces it when an immutable field must change.
	LifecycleRecreateOnImmutable LifecycleRecreate = "OnImmutable"
)
