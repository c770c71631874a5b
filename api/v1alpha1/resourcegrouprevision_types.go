package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// A ResourceGroupRevision is a snapshot of the spec that a ResourceGroup once had. Plait
// makes one for every spec that differs from the newest, numbers them, and keeps the last
// ten and those that an instance is pinned to. It cannot be changed.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,path=resourcegrouprevisions,singular=resourcegrouprevision,shortName=rgr,categories=plait
// +kubebuilder:printcolumn:name="Group",type=string,JSONPath=`.spec.resourceGroup.name`,description="The ResourceGroup"
// +kubebuilder:printcolumn:name="Revision",type=integer,JSONPath=`.spec.revision`,description="Number within the ResourceGroup"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ResourceGroupRevision struct {
	metav1.TypeMeta `json:",inline"`
	// Standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// The snapshot. Immutable.
	// +required
	Spec ResourceGroupRevisionSpec `json:"spec"`
}

// A ResourceGroupRevisionList is a list of ResourceGroupRevisions.
//
// +kubebuilder:object:root=true
type ResourceGroupRevisionList struct {
	metav1.TypeMeta `json:",inline"`
	// Standard list metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// The ResourceGroupRevisions.
	Items []ResourceGroupRevision `json:"items"`
}

// ResourceGroupRevisionSpec is one spec of a ResourceGroup, and which it was.
//
// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="a revision is immutable: edit the ResourceGroup, which makes a new one"
type ResourceGroupRevisionSpec struct {
	// The ResourceGroup whose spec this was.
	// +required
	ResourceGroup ResourceGroupReference `json:"resourceGroup"`

	// Number of the revision within its ResourceGroup, counting from 1.
	// +required
	// +kubebuilder:validation:Minimum=1
	Revision int64 `json:"revision"`

	// Hash of the canonical JSON of the snapshot. Equal hashes mean equal specs.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	Hash string `json:"hash"`

	// The spec of the ResourceGroup, exactly as it was stored.
	// +required
	// +kubebuilder:validation:Type=object
	// +mapType=atomic
	// +kubebuilder:pruning:PreserveUnknownFields
	Snapshot runtime.RawExtension `json:"snapshot"`
}

// A ResourceGroupReference names one ResourceGroup for good: a later one of the same name
// has another UID.
type ResourceGroupReference struct {
	// Name of the ResourceGroup.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// UID of the ResourceGroup.
	// +required
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	UID types.UID `json:"uid"`
}
