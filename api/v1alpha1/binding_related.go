package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A RelatedResource is a set of Secrets or ConfigMaps that travel with the objects.
// Secrets are of the types Opaque, kubernetes.io/tls, kubernetes.io/dockerconfigjson,
// kubernetes.io/basic-auth and kubernetes.io/ssh-auth only, and nothing is ever written
// into a namespace kube-*.
type RelatedResource struct {
	// What travels.
	// +required
	Resource RelatedResourceKind `json:"resource"`

	// Which way. FromProvider copies from the provider into this cluster, FromConsumer from
	// this cluster to the provider.
	// +required
	Direction SyncDirection `json:"direction"`

	// Which ones.
	// +required
	Selector RelatedSelector `json:"selector"`
}

// RelatedResourceKind is a resource that can travel with the objects of an API.
//
// +kubebuilder:validation:Enum=secrets;configmaps
type RelatedResourceKind string

// The values of RelatedResourceKind.
const (
	// RelatedSecrets are Secrets.
	RelatedSecrets RelatedResourceKind = "secrets"
	// RelatedConfigMaps are ConfigMaps.
	RelatedConfigMaps RelatedResourceKind = "configmaps"
)

// SyncDirection says which way a related resource travels.
//
// +kubebuilder:validation:Enum=FromProvider;FromConsumer
type SyncDirection string

// The values of SyncDirection.
const (
	// FromProvider copies into this cluster.
	FromProvider SyncDirection = "FromProvider"
	// FromConsumer copies to the provider.
	FromConsumer SyncDirection = "FromConsumer"
)

// A RelatedSelector says which objects are meant: by names or by labels, not both.
//
// +kubebuilder:validation:XValidation:rule="has(self.names) != has(self.labelSelector)",message="exactly one of names and labelSelector is needed"
// +kubebuilder:validation:XValidation:rule="!has(self.labelSelector) || (has(self.labelSelector.matchLabels) && size(self.labelSelector.matchLabels) > 0) || (has(self.labelSelector.matchExpressions) && size(self.labelSelector.matchExpressions) > 0)",message="an empty labelSelector would select everything: name at least one label",fieldPath=".labelSelector"
type RelatedSelector struct {
	// Names of the objects.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=64
	Names []string `json:"names,omitempty"`

	// Labels of the objects. At least one label is needed.
	// +optional
	LabelSelector *metav1.LabelSelector `json:"labelSelector,omitempty"`
}
