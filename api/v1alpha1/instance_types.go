package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// InstanceStatus is the part of an instance's status that Plait itself writes. Beside it
// stand the fields that the ResourceGroup's schema.status projects.
type InstanceStatus struct {
	// Where the instance stands.
	// +optional
	State State `json:"state,omitempty"`

	// Generation of the spec that this status speaks of; -1 until Plait has looked at it.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// Number of the revision of the ResourceGroup that the instance runs on.
	// +optional
	Revision int64 `json:"revision,omitempty"`

	// Who writes the children: `namespace/name` of a service account. Deletion uses it even
	// when the ResourceGroup names another one by then.
	// +optional
	ServiceAccount string `json:"serviceAccount,omitempty"`

	// InstanceManaged, ServiceAccountResolved, GraphResolved, ResourcesReady, Ready and
	// what the author adds; Reconciling, Stalled, Suspended and StatusProjected where they
	// have something to say.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// The nodes and their objects: what is not Ready first, then in document order. At most
	// 100, and 64 KiB.
	// +optional
	// +listType=atomic
	Resources []InstanceResource `json:"resources,omitempty"`

	// How many entries resources would have beyond its limits.
	// +optional
	ResourcesOmitted int64 `json:"resourcesOmitted,omitempty"`

	// Value of the annotation plait.run/reconcile-at that was last acted upon.
	// +optional
	LastHandledReconcileAt string `json:"lastHandledReconcileAt,omitempty"`
}

// An InstanceResource says how one node, or one object of a collection, stands.
type InstanceResource struct {
	// Id of the node.
	ID string `json:"id"`

	// API version of the object. Empty where there is none.
	// +optional
	APIVersion string `json:"apiVersion,omitempty"`

	// Kind of the object.
	// +optional
	Kind string `json:"kind,omitempty"`

	// Namespace of the object. Empty for a cluster-scoped one.
	// +optional
	Namespace string `json:"namespace,omitempty"`

	// Name of the object. Empty while it is not known.
	// +optional
	Name string `json:"name,omitempty"`

	// UID of the object. Empty while it does not exist.
	// +optional
	UID types.UID `json:"uid,omitempty"`

	// Where the node stands.
	State NodeState `json:"state"`

	// Since when it stands there.
	// +optional
	Since *metav1.Time `json:"since,omitempty"`

	// Why it failed, as one word in camel case. Empty while it has not.
	// +optional
	Reason Reason `json:"reason,omitempty"`

	// What is waited for, or what went wrong.
	// +optional
	Message string `json:"message,omitempty"`
}

// State says where an instance stands.
//
// +kubebuilder:validation:Enum=IN_PROGRESS;ACTIVE;FAILED;ERROR;DELETING
type State string

// The values of State.
const (
	// StateInProgress is working or waiting; nothing is wrong.
	StateInProgress State = "IN_PROGRESS"
	// StateActive has every node Ready or Excluded, at this generation.
	StateActive State = "ACTIVE"
	// StateFailed gets no further until somebody changes something.
	StateFailed State = "FAILED"
	// StateError meets a passing fault of API server or network, and is retried.
	StateError State = "ERROR"
	// StateDeleting is being taken down.
	StateDeleting State = "DELETING"
)

// NodeState says where a node of an instance stands.
//
// +kubebuilder:validation:Enum=Excluded;Waiting;Applied;Ready;Failed;Deleting
type NodeState string

// The values of NodeState.
const (
	// NodeExcluded is not wanted.
	NodeExcluded NodeState = "Excluded"
	// NodeWaiting waits for a value, an object or another node.
	NodeWaiting NodeState = "Waiting"
	// NodeApplied exists and is not ready.
	NodeApplied NodeState = "Applied"
	// NodeReady exists and is ready.
	NodeReady NodeState = "Ready"
	// NodeFailed gets no further until an input changes.
	NodeFailed NodeState = "Failed"
	// NodeDeleting is being deleted.
	NodeDeleting NodeState = "Deleting"
)

// AllNodeStates lists every NodeState, in the order in which people meet them.
func AllNodeStates() []NodeState {
	return []NodeState{NodeExcluded, NodeWaiting, NodeApplied, NodeReady, NodeFailed, NodeDeleting}
}
