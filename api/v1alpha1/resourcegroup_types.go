package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A ResourceGroup defines a new API and the resources behind it. Plait compiles it into a
// dependency graph, serves the API as a CustomResourceDefinition, and brings up every
// object of that API (an instance) node by node in dependency order.
//
// Mistakes in the document do not keep it from being stored: all of them are reported at
// once in the condition GraphAccepted, and the last good revision keeps serving.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,path=resourcegroups,singular=resourcegroup,shortName=rg,categories=plait
// +kubebuilder:printcolumn:name="State",type=string,JSONPath=`.status.state`,description="Active while some revision is served"
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether the newest revision is served and its controller runs"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ResourceGroup struct {
	metav1.TypeMeta `json:",inline"`
	// Standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// What the new API looks like and which resources stand behind it.
	// +required
	Spec ResourceGroupSpec `json:"spec"`

	// What Plait made of the document. Written by Plait only.
	// +optional
	// +kubebuilder:default={observedGeneration:-1}
	Status ResourceGroupStatus `json:"status,omitempty"`
}

// A ResourceGroupList is a list of ResourceGroups.
//
// +kubebuilder:object:root=true
type ResourceGroupList struct {
	metav1.TypeMeta `json:",inline"`
	// Standard list metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// The ResourceGroups.
	Items []ResourceGroup `json:"items"`
}

// ResourceGroupSpec is the definition. Unknown fields are kept, so that the compiler can
// name them instead of the API server dropping them in silence.
//
// +kubebuilder:pruning:PreserveUnknownFields
type ResourceGroupSpec struct {
	// The API to serve.
	// +required
	Schema Schema `json:"schema"`

	// What deleting this ResourceGroup does while it has instances. Wait keeps them
	// running, and the ResourceGroup Terminating, until they are gone. Cascade deletes
	// them first. Default: Wait.
	// +optional
	// +kubebuilder:default=Wait
	DeletionPolicy DeletionPolicy `json:"deletionPolicy,omitempty"`

	// What becomes of the generated CustomResourceDefinition when this ResourceGroup is
	// deleted. Retain releases it and leaves it in place. Delete removes it, if the engine
	// was started with --allow-crd-deletion. Default: Retain.
	// +optional
	// +kubebuilder:default=Retain
	CRDDeletion CRDDeletion `json:"crdDeletion,omitempty"`

	// Whether an instance may stay on an older revision by its annotation
	// plait.run/revision. Default: Denied.
	// +optional
	// +kubebuilder:default=Denied
	Pinning Pinning `json:"pinning,omitempty"`

	// Whether children carry an owner reference to their instance, where Kubernetes allows
	// one. Without it Plait deletes them all the same, in dependency order; with it the
	// garbage collector does too, once the instance is gone. Default: Set.
	// +optional
	// +kubebuilder:default=Set
	OwnerReferences OwnerReferences `json:"ownerReferences,omitempty"`

	// Which service account writes the children: a map from the namespace of an instance
	// to the name of a service account of that same namespace. The key "*" is for all
	// other namespaces. For cluster-scoped instances the key is "" and the value
	// "namespace/name". An instance that no entry matches is refused, and nothing is
	// written for it. At most 28 entries. Default: none, which leaves it to the engine's
	// --default-service-account.
	// +optional
	// +kubebuilder:validation:MaxProperties=28
	DefaultServiceAccounts map[string]string `json:"defaultServiceAccounts,omitempty"`

	// The nodes of the graph, in any order: references between them decide in which order
	// they are applied. At most 2000.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=2000
	Resources []Node `json:"resources,omitempty"`
}

// DeletionPolicy says what deleting a ResourceGroup does to its instances.
//
// +kubebuilder:validation:Enum=Wait;Cascade
type DeletionPolicy string

// The values of DeletionPolicy.
const (
	// DeletionPolicyWait keeps the ResourceGroup until its instances are gone.
	DeletionPolicyWait DeletionPolicy = "Wait"
	// DeletionPolicyCascade deletes the instances first.
	DeletionPolicyCascade DeletionPolicy = "Cascade"
)

// CRDDeletion says what becomes of the generated CRD of a deleted ResourceGroup.
//
// +kubebuilder:validation:Enum=Retain;Delete
type CRDDeletion string

// The values of CRDDeletion.
const (
	// CRDDeletionRetain takes Plait's marks off the CRD and leaves it.
	CRDDeletionRetain CRDDeletion = "Retain"
	// CRDDeletionDelete deletes the CRD if the engine allows that.
	CRDDeletionDelete CRDDeletion = "Delete"
)

// Pinning says whether instances may stay on an older revision.
//
// +kubebuilder:validation:Enum=Denied;Allowed
type Pinning string

// The values of Pinning.
const (
	// PinningDenied runs every instance on the served revision.
	PinningDenied Pinning = "Denied"
	// PinningAllowed honours the annotation plait.run/revision of instances.
	PinningAllowed Pinning = "Allowed"
)

// OwnerReferences says whether children carry an owner reference to their instance.
//
// +kubebuilder:validation:Enum=Set;None
type OwnerReferences string

// The values of OwnerReferences.
const (
	// OwnerReferencesSet sets one where Kubernetes allows it.
	OwnerReferencesSet OwnerReferences = "Set"
	// OwnerReferencesNone sets none.
	OwnerReferencesNone OwnerReferences = "None"
)
