package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ResourceGroupStatus is what Plait made of a ResourceGroup.
type ResourceGroupStatus struct {
	// Active while some revision is served, Inactive otherwise. A mistake in a newer spec
	// does not make a ResourceGroup Inactive: the last good revision keeps serving.
	// +optional
	State ResourceGroupState `json:"state,omitempty"`

	// Generation of the spec that this status speaks of; -1 until Plait has looked at it.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// Number of the newest revision that was issued, counting from 1.
	// +optional
	LatestRevision int64 `json:"latestRevision,omitempty"`

	// Number of the revision that instances run on. Less than latestRevision while the
	// newest one is refused.
	// +optional
	ServedRevision int64 `json:"servedRevision,omitempty"`

	// Ids of all nodes in the order in which they are applied.
	// +optional
	// +listType=atomic
	TopologicalOrder []string `json:"topologicalOrder,omitempty"`

	// Ids of the nodes in layers: the nodes of one layer need only nodes of layers before
	// it, and are applied at once. Left out for more than 200 nodes.
	// +optional
	// +listType=atomic
	Layers [][]string `json:"layers,omitempty"`

	// What each node needs. Left out for more than 200 nodes.
	// +optional
	// +listType=map
	// +listMapKey=id
	Resources []NodeDependencies `json:"resources,omitempty"`

	// How many instances there are. Written at most every 10 seconds.
	// +optional
	Instances *InstanceCounts `json:"instances,omitempty"`

	// GraphAccepted, KindsAvailable, KindServed, ControllerReady, ServiceAccountsAllowed
	// and Ready.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// ResourceGroupState says whether a ResourceGroup serves its API.
//
// +kubebuilder:validation:Enum=Active;Inactive
type ResourceGroupState string

// The values of ResourceGroupState.
const (
	// ResourceGroupActive serves some revision.
	ResourceGroupActive ResourceGroupState = "Active"
	// ResourceGroupInactive serves none.
	ResourceGroupInactive ResourceGroupState = "Inactive"
)

// NodeDependencies lists what one node needs.
type NodeDependencies struct {
	// Id of the node.
	ID string `json:"id"`

	// The nodes that it needs, in document order.
	// +optional
	// +listType=atomic
	Dependencies []Dependency `json:"dependencies,omitempty"`
}

// A Dependency is one node that another one needs.
type Dependency struct {
	// Id of the needed node.
	ID string `json:"id"`

	// Whether the need is soft: the needed node comes first where it can, but does not
	// hold up or exclude the one that needs it.
	Soft bool `json:"soft"`
}

// InstanceCounts counts the instances of a ResourceGroup.
type InstanceCounts struct {
	// All instances.
	Total int64 `json:"total"`

	// Those that are Ready.
	Ready int64 `json:"ready"`
}
