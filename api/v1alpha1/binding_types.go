package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A ClusterBinding uses APIs of a Connection in the whole cluster: their objects here are
// copied to the provider (spec up), and what the provider reports comes back (status down).
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,path=clusterbindings,singular=clusterbinding,categories=plait
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether every API is bound"
// +kubebuilder:printcolumn:name="Connection",type=string,JSONPath=`.spec.connectionRef.name`
// +kubebuilder:printcolumn:name="Synced",type=string,JSONPath=`.status.conditions[?(@.type=="Synced")].status`,description="Whether the objects agree with their copies"
// +kubebuilder:printcolumn:name="Conflicts",type=string,JSONPath=`.status.conditions[?(@.type=="Conflicts")].status`,description="Whether objects of others stand in the way on the provider"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ClusterBinding struct {
	metav1.TypeMeta `json:",inline"`
	// Standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Which APIs, and how they are synced.
	// +required
	Spec BindingSpec `json:"spec"`

	// How the sync stands. Written by Plait only.
	// +optional
	// +kubebuilder:default={observedGeneration:-1}
	Status BindingStatus `json:"status,omitempty"`
}

// A ClusterBindingList is a list of ClusterBindings.
//
// +kubebuilder:object:root=true
type ClusterBindingList struct {
	metav1.TypeMeta `json:",inline"`
	// Standard list metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// The ClusterBindings.
	Items []ClusterBinding `json:"items"`
}

// A Binding uses APIs of a Connection in its own namespace. The Connection must allow the
// namespace (spec.allowedNamespaces).
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,path=bindings,singular=binding,shortName=pbinding,categories=plait
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether every API is bound"
// +kubebuilder:printcolumn:name="Connection",type=string,JSONPath=`.spec.connectionRef.name`
// +kubebuilder:printcolumn:name="Synced",type=string,JSONPath=`.status.conditions[?(@.type=="Synced")].status`,description="Whether the objects agree with their copies"
// +kubebuilder:printcolumn:name="Conflicts",type=string,JSONPath=`.status.conditions[?(@.type=="Conflicts")].status`,description="Whether objects of others stand in the way on the provider"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Binding struct {
	metav1.TypeMeta `json:",inline"`
	// Standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Which APIs, and how they are synced.
	// +required
	Spec BindingSpec `json:"spec"`

	// How the sync stands. Written by Plait only.
	// +optional
	// +kubebuilder:default={observedGeneration:-1}
	Status BindingStatus `json:"status,omitempty"`
}

// A BindingList is a list of Bindings.
//
// +kubebuilder:object:root=true
type BindingList struct {
	metav1.TypeMeta `json:",inline"`
	// Standard list metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// The Bindings.
	Items []Binding `json:"items"`
}
