package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// BindingStatus says how the sync of a binding stands.
type BindingStatus struct {
	// Generation of the spec that this status speaks of; -1 until Plait has looked at it.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// The APIs of the spec, sorted by name.
	// +optional
	// +listType=map
	// +listMapKey=name
	BoundAPIs []BoundAPIStatus `json:"boundAPIs,omitempty"`

	// What travels with the objects, and what has travelled and still has copies: kind and
	// direction, such as `secrets FromProvider`, sorted.
	// +optional
	// +listType=set
	RelatedResources []string `json:"relatedResources,omitempty"`

	// Ready, Synced, Conflicts and PermissionDenied.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// A BoundAPIStatus says how one API of a binding stands.
type BoundAPIStatus struct {
	// Name of the API: `resource.group`.
	Name string `json:"name"`

	// Where it stands: Pending, Bound, Conflict, Invalid, Unsupported or Withdrawn.
	State BoundAPIState `json:"state"`

	// Why it stands there, as one word in camel case.
	// +optional
	Reason string `json:"reason,omitempty"`

	// Why it stands there, for people.
	// +optional
	Message string `json:"message,omitempty"`

	// Hash of the schema that is installed for it.
	// +optional
	SchemaHash string `json:"schemaHash,omitempty"`

	// How many objects are synced.
	// +optional
	Objects int64 `json:"objects,omitempty"`

	// How many objects cannot be synced because one of somebody else is in the way.
	// +optional
	Conflicts int64 `json:"conflicts,omitempty"`

	// When an object was last written on either side, as of the last write of this status.
	// By itself it is brought up to date every ten minutes at most.
	// +optional
	LastSyncTime *metav1.Time `json:"lastSyncTime,omitempty"`
}

// BoundAPIState says where an API of a binding stands.
type BoundAPIState string

// The values of BoundAPIState.
const (
	// BoundAPIPending waits for the Connection, the export or the installed schema.
	BoundAPIPending BoundAPIState = "Pending"
	// BoundAPIBound is installed, and its objects are synced.
	BoundAPIBound BoundAPIState = "Bound"
	// BoundAPIConflict is bound elsewhere, or its schema cannot be installed here.
	BoundAPIConflict BoundAPIState = "Conflict"
	// BoundAPIInvalid has a schema that this cluster would refuse.
	BoundAPIInvalid BoundAPIState = "Invalid"
	// BoundAPIUnsupported needs something that cannot be carried over.
	BoundAPIUnsupported BoundAPIState = "Unsupported"
	// BoundAPIWithdrawn is no longer exported; schema and data stay.
	BoundAPIWithdrawn BoundAPIState = "Withdrawn"
)
