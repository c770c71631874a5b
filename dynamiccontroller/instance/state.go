package instance

import "github.com/plait-run/plait/api/v1alpha1"

// The states of an instance.
const (
	StateInProgress = v1alpha1.StateInProgress
	StateActive     = v1alpha1.StateActive
	StateFailed     = v1alpha1.StateFailed
	StateError      = v1alpha1.StateError
	StateDeleting   = v1alpha1.StateDeleting
)

// InstanceState is where an instance stood at the end of its last pass.
type InstanceState struct {
	State          v1alpha1.State
	ResourceStates map[string]*ResourceState // by node id
	ReconcileErr   error                     // of the pass itself; nil for faults of single nodes
}

// ResourceState is where a node stands.
type ResourceState struct {
	State v1alpha1.NodeState
	Err   error // nil unless the node has failed
}
