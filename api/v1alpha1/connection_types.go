package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// DefaultKubeconfigKey is the key of a Secret under which a kubeconfig is looked for when
// the Connection names none.
const DefaultKubeconfigKey = "kubeconfig"

// A Connection points at a provider cluster. Plait verifies which cluster it is, finds out
// which APIs it exports, installs their schemas in this cluster, and keeps a Lease there as
// a heartbeat. Bindings then say which of the APIs are used.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,path=connections,singular=connection,categories=plait
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether the provider is reached, verified and discovered"
// +kubebuilder:printcolumn:name="Provider",type=string,JSONPath=`.status.providerHost`,description="Host of the provider's API server"
// +kubebuilder:printcolumn:name="APIs",type=integer,JSONPath=`.status.exportedAPICount`,description="Number of exported APIs"
// +kubebuilder:printcolumn:name="Source",type=string,JSONPath=`.status.activeSchemaSource`,description="Where the exported APIs were found"
// +kubebuilder:printcolumn:name="Last discovery",type=date,JSONPath=`.status.lastDiscoveryTime`,description="When the provider was last asked with success"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:validation:XValidation:rule="size(self.metadata.name) <= 63",message="the name of a Connection has at most 63 characters, since it is used as a label value"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.status) || !has(oldSelf.status.remoteClusterUID) || (has(self.status) && has(self.status.remoteClusterUID) && (self.status.remoteClusterUID == oldSelf.status.remoteClusterUID || (has(self.spec.acceptClusterUID) && self.status.remoteClusterUID == self.spec.acceptClusterUID)))",message="the provider cluster is pinned: it changes only to spec.acceptClusterUID",fieldPath=".status.remoteClusterUID"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.status) || !has(oldSelf.status.localClusterUID) || (has(self.status) && has(self.status.localClusterUID) && (self.status.localClusterUID == oldSelf.status.localClusterUID || (has(self.spec.acceptClusterUID) && self.status.localClusterUID == self.spec.acceptClusterUID)))",message="the consumer cluster is pinned: it changes only to spec.acceptClusterUID",fieldPath=".status.localClusterUID"
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.status) || !has(oldSelf.status.identitySource) || (has(self.status) && has(self.status.identitySource) && (self.status.identitySource == oldSelf.status.identitySource || (has(self.status.remoteClusterUID) && has(oldSelf.status.remoteClusterUID) && self.status.remoteClusterUID != oldSelf.status.remoteClusterUID)))",message="the source of the provider's identity is pinned: it changes only together with remoteClusterUID",fieldPath=".status.identitySource"
type Connection struct {
	metav1.TypeMeta `json:",inline"`
	// Standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Which cluster, and what to take from it.
	// +required
	Spec ConnectionSpec `json:"spec"`

	// What Plait found there. Written by Plait only.
	// +optional
	// +kubebuilder:default={observedGeneration:-1}
	Status ConnectionStatus `json:"status,omitempty"`
}

// A ConnectionList is a list of Connections.
//
// +kubebuilder:object:root=true
type ConnectionList struct {
	metav1.TypeMeta `json:",inline"`
	// Standard list metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// The Connections.
	Items []Connection `json:"items"`
}

// ConnectionSpec says which provider cluster is meant and what to take from it.
//
// +kubebuilder:validation:XValidation:rule="self.kubeconfigSecretRef == oldSelf.kubeconfigSecretRef",message="kubeconfigSecretRef is immutable: change the Secret's content, or make a new Connection",fieldPath=".kubeconfigSecretRef"
type ConnectionSpec struct {
	// The Secret that holds the kubeconfig of the provider. A change of its content is
	// picked up at once. Immutable.
	// +required
	KubeconfigSecretRef KubeconfigSecretReference `json:"kubeconfigSecretRef"`

	// How the schemas of exported APIs are found and kept.
	// +optional
	// +kubebuilder:default={}
	Schema ConnectionSchema `json:"schema,omitempty"`

	// Keeps a managed ClusterBinding of all exported APIs; with the pull policy Referenced
	// of those in use. Default: false.
	// +optional
	// +kubebuilder:default=false
	AutoBind bool `json:"autoBind,omitempty"`

	// Allows a kubeconfig that does not verify the provider's certificate. Without it such
	// a kubeconfig is refused. Default: false.
	// +optional
	// +kubebuilder:default=false
	InsecureSkipTLSVerify bool `json:"insecureSkipTLSVerify,omitempty"`

	// The Lease on the provider that shows that this cluster is there.
	// +optional
	Heartbeat *Heartbeat `json:"heartbeat,omitempty"`

	// Labels of the namespaces in which a Binding may refer to this Connection. An empty
	// selector allows all. Default: none.
	// +optional
	AllowedNamespaces *metav1.LabelSelector `json:"allowedNamespaces,omitempty"`

	// UID of the cluster to accept although another one is pinned in the status: the one
	// way to move to another provider cluster on purpose. Default: none.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=128
	AcceptClusterUID types.UID `json:"acceptClusterUID,omitempty"`

	// Declares that the provider is gone for good: finalizers are released without it, and
	// whatever is left there stays. Default: false.
	// +optional
	// +kubebuilder:default=false
	Abandon bool `json:"abandon,omitempty"`
}

// A KubeconfigSecretReference points at a kubeconfig in a Secret.
type KubeconfigSecretReference struct {
	// Namespace of the Secret. It must be the one that the engine keeps secrets in
	// (--secrets-namespace; by default its own).
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace"`

	// Name of the Secret.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// Key within the Secret. Default: kubeconfig.
	// +optional
	// +kubebuilder:default=kubeconfig
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Key string `json:"key,omitempty"`
}

// ConnectionSchema says how the schemas of exported APIs are found and kept.
type ConnectionSchema struct {
	// Where exported APIs are looked for. CRD: among the provider's
	// CustomResourceDefinitions with the label plait.run/exported=true. OpenAPI: in its
	// discovery and OpenAPI documents. Auto: CRD first, and OpenAPI if there are none.
	// Default: Auto.
	// +optional
	// +kubebuilder:default=Auto
	Source SchemaSource `json:"source,omitempty"`

	// Which of the exported APIs are installed in this cluster. Bound: those that a binding
	// names. All: every one. Referenced: those that a ResourceGroup uses. None: none.
	// Default: Bound.
	// +optional
	// +kubebuilder:default=Bound
	PullPolicy PullPolicy `json:"pullPolicy,omitempty"`

	// Whether installed schemas follow the provider's. Always follows. Once keeps what was
	// installed first. Default: Always.
	// +optional
	// +kubebuilder:default=Always
	UpdatePolicy UpdatePolicy `json:"updatePolicy,omitempty"`

	// The APIs to take, of those that are exported: globs over `group` or
	// `resource.group`. Default: all.
	// +optional
	// +listType=atomic
	Include []string `json:"include,omitempty"`

	// The APIs not to take, in the same form. It wins over include. Default: none.
	// +optional
	// +listType=atomic
	Exclude []string `json:"exclude,omitempty"`
}

// SchemaSource says where exported APIs are looked for.
//
// +kubebuilder:validation:Enum=Auto;CRD;OpenAPI
type SchemaSource string

// The values of SchemaSource. A status never says Auto.
const (
	// SchemaSourceAuto is CRD first, and OpenAPI if a successful list has no exports.
	SchemaSourceAuto SchemaSource = "Auto"
	// SchemaSourceCRD is labelled CustomResourceDefinitions.
	SchemaSourceCRD SchemaSource = "CRD"
	// SchemaSourceOpenAPI is discovery and OpenAPI documents.
	SchemaSourceOpenAPI SchemaSource = "OpenAPI"
)

// PullPolicy says which exported APIs are installed in this cluster.
//
// +kubebuilder:validation:Enum=Bound;All;Referenced;None
type PullPolicy string

// The values of PullPolicy.
const (
	// PullPolicyBound installs what a binding names.
	PullPolicyBound PullPolicy = "Bound"
	// PullPolicyAll installs everything.
	PullPolicyAll PullPolicy = "All"
	// PullPolicyReferenced installs what some compiled graph uses.
	PullPolicyReferenced PullPolicy = "Referenced"
	// PullPolicyNone installs nothing.
	PullPolicyNone PullPolicy = "None"
)

// UpdatePolicy says whether installed schemas follow the provider's.
//
// +kubebuilder:validation:Enum=Always;Once
type UpdatePolicy string

// The values of UpdatePolicy.
const (
	// UpdatePolicyAlways follows every change that breaks nothing.
	UpdatePolicyAlways UpdatePolicy = "Always"
	// UpdatePolicyOnce keeps what was installed first.
	UpdatePolicyOnce UpdatePolicy = "Once"
)

// A Heartbeat says where the Lease on the provider is kept.
type Heartbeat struct {
	// Namespace of the Lease on the provider. Default: the namespace of the kubeconfig's
	// context, else plait.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace,omitempty"`
}
