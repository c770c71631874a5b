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

// BindingSpec says which APIs of a Connection are used, and how their objects are synced.
//
// +kubebuilder:validation:XValidation:rule="self.connectionRef == oldSelf.connectionRef",message="connectionRef is immutable: make a new binding for another Connection",fieldPath=".connectionRef"
type BindingSpec struct {
	// The Connection to the provider. Immutable.
	// +required
	ConnectionRef ConnectionReference `json:"connectionRef"`

	// The APIs to use. An API can be bound through one Connection only: the older binding
	// keeps it. At most 500.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=500
	APIs []BoundAPISpec `json:"apis,omitempty"`

	// What happens when an object of the same name that Plait did not make exists on the
	// provider. Fail leaves it and reports the conflict. Adopt takes it over if nobody owns
	// it, and lets go of it instead of deleting it. Default: Fail.
	// +optional
	// +kubebuilder:default=Fail
	ConflictPolicy ConflictPolicy `json:"conflictPolicy,omitempty"`

	// What deleting the binding, or taking an API out of it, does. Retain leaves the
	// installed schema, the objects and their copies on the provider. Delete deletes the
	// copies. Default: Retain.
	// +optional
	// +kubebuilder:default=Retain
	DeletionPolicy BindingDeletionPolicy `json:"deletionPolicy,omitempty"`

	// Secrets and ConfigMaps that travel with the objects. At most 32. Default: none.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	RelatedResources []RelatedResource `json:"relatedResources,omitempty"`

	// Into which namespaces of the provider the objects go, for providers that several
	// consumers share. Default: the namespace of the same name.
	// +optional
	NamespaceMapping *NamespaceMapping `json:"namespaceMapping,omitempty"`
}

// A ConnectionReference names a Connection.
type ConnectionReference struct {
	// Name of the Connection.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name"`
}

// A BoundAPISpec is one API to use.
type BoundAPISpec struct {
	// Name of the API: `resource.group`, such as databases.db.example.com.
	// +required
	// +kubebuilder:validation:MaxLength=317
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$`
	Name string `json:"name"`

	// Which of the user's labels and annotations are carried up. Default: none.
	// +optional
	Metadata *CarriedMetadata `json:"metadata,omitempty"`
}

// CarriedMetadata lists keys of metadata that are carried to the provider.
type CarriedMetadata struct {
	// Keys of labels.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	Labels []string `json:"labels,omitempty"`

	// Keys of annotations.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	Annotations []string `json:"annotations,omitempty"`
}

// ConflictPolicy says what happens to an object on the provider that is in the way.
//
// +kubebuilder:validation:Enum=Fail;Adopt
type ConflictPolicy string

// The values of ConflictPolicy.
const (
	// ConflictPolicyFail leaves it and reports the conflict.
	ConflictPolicyFail ConflictPolicy = "Fail"
	// ConflictPolicyAdopt takes it over if nobody owns it.
	ConflictPolicyAdopt ConflictPolicy = "Adopt"
)

// BindingDeletionPolicy says what unbinding does to the copies on the provider.
//
// +kubebuilder:validation:Enum=Retain;Delete
type BindingDeletionPolicy string

// The values of BindingDeletionPolicy.
const (
	// BindingDeletionRetain leaves them.
	BindingDeletionRetain BindingDeletionPolicy = "Retain"
	// BindingDeletionDelete deletes them.
	BindingDeletionDelete BindingDeletionPolicy = "Delete"
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

// NamespaceMapping says how namespaces of this cluster are named on the provider.
type NamespaceMapping struct {
	// Put before the name of each namespace. A result of more than 63 characters is cut,
	// and a hash makes it distinct.
	// +required
	// +kubebuilder:validation:MaxLength=40
	// +kubebuilder:validation:Pattern=`^[a-z0-9][-a-z0-9]*$`
	Prefix string `json:"prefix"`
}

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

	// When an object was last written on either side.
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
