package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ConnectionStatus is what Plait found at the provider.
type ConnectionStatus struct {
	// Generation of the spec that this status speaks of; -1 until Plait has looked at it.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// UID of the provider cluster, pinned when it was first reached. It changes only to
	// spec.acceptClusterUID.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	RemoteClusterUID types.UID `json:"remoteClusterUID,omitempty"`

	// UID of this cluster, pinned at the same time.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=128
	LocalClusterUID types.UID `json:"localClusterUID,omitempty"`

	// What the provider's UID was read from, pinned at the same time. LogicalCluster: kcp's
	// object of that kind. Namespace: the namespace kube-system.
	// +optional
	IdentitySource IdentitySource `json:"identitySource,omitempty"`

	// Host, and port if there is one, of the provider's API server.
	// +optional
	ProviderHost string `json:"providerHost,omitempty"`

	// Kubernetes version of the provider.
	// +optional
	ProviderVersion string `json:"providerVersion,omitempty"`

	// Where the exported APIs were found.
	// +optional
	ActiveSchemaSource SchemaSource `json:"activeSchemaSource,omitempty"`

	// The APIs that the provider exports, sorted by name, and those that it has withdrawn
	// while they are installed here.
	// +optional
	// +listType=map
	// +listMapKey=name
	ExportedAPIs []ExportedAPI `json:"exportedAPIs,omitempty"`

	// Length of exportedAPIs.
	// +optional
	ExportedAPICount int32 `json:"exportedAPICount,omitempty"`

	// When the provider was last asked for its exports with success.
	// +optional
	LastDiscoveryTime *metav1.Time `json:"lastDiscoveryTime,omitempty"`

	// When the heartbeat Lease was last renewed, as of the last write of this status.
	// +optional
	LastHeartbeatTime *metav1.Time `json:"lastHeartbeatTime,omitempty"`

	// How many discoveries in a row have failed. After three, Ready becomes False.
	// +optional
	ConsecutiveFailures int32 `json:"consecutiveFailures,omitempty"`

	// SecretValid, Connected, PermissionDenied, SchemaInSync and Ready.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// IdentitySource says what the UID of a cluster is read from.
//
// +kubebuilder:validation:Enum=LogicalCluster;Namespace
type IdentitySource string

// The values of IdentitySource.
const (
	// IdentitySourceLogicalCluster is kcp's LogicalCluster named cluster.
	IdentitySourceLogicalCluster IdentitySource = "LogicalCluster"
	// IdentitySourceNamespace is the namespace kube-system.
	IdentitySourceNamespace IdentitySource = "Namespace"
)

// An ExportedAPI is one API that a provider offers.
type ExportedAPI struct {
	// Name of the API: `resource.group`.
	Name string `json:"name"`

	// API group.
	Group string `json:"group"`

	// Plural resource name.
	Resource string `json:"resource"`

	// Kind of the objects.
	Kind string `json:"kind"`

	// Whether the objects live in namespaces.
	Scope Scope `json:"scope"`

	// Served versions, the preferred one first.
	// +optional
	// +listType=atomic
	Versions []string `json:"versions,omitempty"`

	// Where the API stands in this cluster.
	State ExportedAPIState `json:"state"`

	// Why it stands there, as one word in camel case. Empty where the state says it all.
	// +optional
	Reason string `json:"reason,omitempty"`

	// Why it stands there, for people: what is wrong, and where.
	// +optional
	Message string `json:"message,omitempty"`
}

// ExportedAPIState says where an exported API stands in this cluster.
//
// +kubebuilder:validation:Enum=Available;Installed;Conflict;Invalid;Unsupported;Withdrawn
type ExportedAPIState string

// The values of ExportedAPIState.
const (
	// ExportedAPIAvailable is exported and not installed here.
	ExportedAPIAvailable ExportedAPIState = "Available"
	// ExportedAPIInstalled is installed here, as the provider has it.
	ExportedAPIInstalled ExportedAPIState = "Installed"
	// ExportedAPIConflict cannot be installed or updated without breaking what is here.
	ExportedAPIConflict ExportedAPIState = "Conflict"
	// ExportedAPIInvalid has a schema that this cluster would refuse.
	ExportedAPIInvalid ExportedAPIState = "Invalid"
	// ExportedAPIUnsupported needs something that cannot be carried over.
	ExportedAPIUnsupported ExportedAPIState = "Unsupported"
	// ExportedAPIWithdrawn is installed here and no longer exported; its data stays.
	ExportedAPIWithdrawn ExportedAPIState = "Withdrawn"
)
