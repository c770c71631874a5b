package v1alpha1

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

// NamespaceMapping says how namespaces of this cluster are named on the provider.
type NamespaceMapping struct {
	// Put before the name of each namespace. A result of more than 63 characters is cut,
	// and a hash makes it distinct.
	// +required
	// +kubebuilder:validation:MaxLength=40
	// +kubebuilder:validation:Pattern=`^[a-z0-9][-a-z0-9]*$`
	Prefix string `json:"prefix"`
}
