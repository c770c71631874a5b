package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A ResourceGroup defines a new API and the resources behind it. Plait compiles it into a
// dependency graph, serves the API as a CustomResourceDefinition, and brings up every
// object of that API (an instance) node by node in dependency order.
//
// Mistakes in the document do not keep it from being stored: all of them are reported at
// once in the condition GraphAccepted, and the last good revision keeps serving.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,path=resourcegroups,singular=resourcegroup,shortName=rg,categories=plait
// +kubebuilder:printcolumn:name="State",type=string,JSONPath=`.status.state`,description="Active while some revision is served"
// +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="Whether the newest revision is served and its controller runs"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ResourceGroup struct {
	metav1.TypeMeta `json:",inline"`
	// Standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// What the new API looks like and which resources stand behind it.
	// +required
	Spec ResourceGroupSpec `json:"spec"`

	// What Plait made of the document. Written by Plait only.
	// +optional
	// +kubebuilder:default={observedGeneration:-1}
	Status ResourceGroupStatus `json:"status,omitempty"`
}

// A ResourceGroupList is a list of ResourceGroups.
//
// +kubebuilder:object:root=true
type ResourceGroupList struct {
	metav1.TypeMeta `json:",inline"`
	// Standard list metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// The ResourceGroups.
	Items []ResourceGroup `json:"items"`
}

// ResourceGroupSpec is the definition. Unknown fields are kept, so that the compiler can
// name them instead of the API server dropping them in silence.
//
// +kubebuilder:pruning:PreserveUnknownFields
type ResourceGroupSpec struct {
	// The API to serve.
	// +required
	Schema Schema `json:"schema"`

	// What deleting this ResourceGroup does while it has instances. Wait keeps them
	// running, and the ResourceGroup Terminating, until they are gone. Cascade deletes
	// them first. Default: Wait.
	// +optional
	// +kubebuilder:default=Wait
	DeletionPolicy DeletionPolicy `json:"deletionPolicy,omitempty"`

	// What becomes of the generated CustomResourceDefinition when this ResourceGroup is
	// deleted. Retain releases it and leaves it in place. Delete removes it, if the engine
	// was started with --allow-crd-deletion. Default: Retain.
	// +optional
	// +kubebuilder:default=Retain
	CRDDeletion CRDDeletion `json:"crdDeletion,omitempty"`

	// Whether an instance may stay on an older revision by its annotation
	// plait.run/revision. Default: Denied.
	// +optional
	// +kubebuilder:default=Denied
	Pinning Pinning `json:"pinning,omitempty"`

	// Whether children carry an owner reference to their instance, where Kubernetes allows
	// one. Without it Plait deletes them all the same, in dependency order; with it the
	// garbage collector does too, once the instance is gone. Default: Set.
	// +optional
	// +kubebuilder:default=Set
	OwnerReferences OwnerReferences `json:"ownerReferences,omitempty"`

	// Which service account writes the children: a map from the namespace of an instance
	// to the name of a service account of that same namespace. The key "*" is for all
	// other namespaces. For cluster-scoped instances the key is "" and the value
	// "namespace/name". An instance that no entry matches is refused, and nothing is
	// written for it. At most 28 entries. Default: none, which leaves it to the engine's
	// --default-service-account.
	// +optional
	// +kubebuilder:validation:MaxProperties=28
	DefaultServiceAccounts map[string]string `json:"defaultServiceAccounts,omitempty"`

	// The nodes of the graph, in any order: references between them decide in which order
	// they are applied. At most 2000.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=2000
	Resources []Node `json:"resources,omitempty"`
}

// DeletionPolicy says what deleting a ResourceGroup does to its instances.
//
// +kubebuilder:validation:Enum=Wait;Cascade
type DeletionPolicy string

// The values of DeletionPolicy.
const (
	// DeletionPolicyWait keeps the ResourceGroup until its instances are gone.
	DeletionPolicyWait DeletionPolicy = "Wait"
	// DeletionPolicyCascade deletes the instances first.
	DeletionPolicyCascade DeletionPolicy = "Cascade"
)

// CRDDeletion says what becomes of the generated CRD of a deleted ResourceGroup.
//
// +kubebuilder:validation:Enum=Retain;Delete
type CRDDeletion string

// The values of CRDDeletion.
const (
	// CRDDeletionRetain takes Plait's marks off the CRD and leaves it.
	CRDDeletionRetain CRDDeletion = "Retain"
	// CRDDeletionDelete deletes the CRD if the engine allows that.
	CRDDeletionDelete CRDDeletion = "Delete"
)

// Pinning says whether instances may stay on an older revision.
//
// +kubebuilder:validation:Enum=Denied;Allowed
type Pinning string

// The values of Pinning.
const (
	// PinningDenied runs every instance on the served revision.
	PinningDenied Pinning = "Denied"
	// PinningAllowed honours the annotation plait.run/revision of instances.
	PinningAllowed Pinning = "Allowed"
)

// OwnerReferences says whether children carry an owner reference to their instance.
//
// +kubebuilder:validation:Enum=Set;None
type OwnerReferences string

// The values of OwnerReferences.
const (
	// OwnerReferencesSet sets one where Kubernetes allows it.
	OwnerReferencesSet OwnerReferences = "Set"
	// OwnerReferencesNone sets none.
	OwnerReferencesNone OwnerReferences = "None"
)

// Scope says whether the objects of a generated kind live in namespaces.
//
// +kubebuilder:validation:Enum=Namespaced;Cluster
type Scope string

// The values of Scope.
const (
	// ScopeNamespaced is for kinds whose objects live in namespaces.
	ScopeNamespaced Scope = "Namespaced"
	// ScopeCluster is for kinds whose objects do not.
	ScopeCluster Scope = "Cluster"
)

// Schema describes the API that a ResourceGroup serves. apiVersion, kind, group, scope and
// plural cannot be changed later: they are the identity of the generated kind.
//
// +kubebuilder:pruning:PreserveUnknownFields
// +kubebuilder:validation:XValidation:rule="self.apiVersion == oldSelf.apiVersion",message="apiVersion is immutable: make a new ResourceGroup for another version",fieldPath=".apiVersion"
// +kubebuilder:validation:XValidation:rule="self.kind == oldSelf.kind",message="kind is immutable: make a new ResourceGroup for another kind",fieldPath=".kind"
// +kubebuilder:validation:XValidation:rule="has(self.group) == has(oldSelf.group) && (!has(self.group) || self.group == oldSelf.group)",message="group is immutable: make a new ResourceGroup for another group",fieldPath=".group"
// +kubebuilder:validation:XValidation:rule="has(self.scope) == has(oldSelf.scope) && (!has(self.scope) || self.scope == oldSelf.scope)",message="scope is immutable: make a new ResourceGroup for another scope",fieldPath=".scope"
// +kubebuilder:validation:XValidation:rule="has(self.plural) == has(oldSelf.plural) && (!has(self.plural) || self.plural == oldSelf.plural)",message="plural is immutable, and cannot be added or removed later: make a new ResourceGroup for another plural",fieldPath=".plural"
// +kubebuilder:validation:XValidation:rule="!has(self.group) || self.group != 'plait.run'",message="the group plait.run is reserved for Plait's own kinds; leave group out for apps.plait.run, or use a domain of yours",fieldPath=".group"
type Schema struct {
	// Version of the generated kind, such as v1alpha1, v1beta2 or v1. Immutable.
	// +required
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^v[0-9]+((alpha|beta)[0-9]+)?$`
	APIVersion string `json:"apiVersion"`

	// The generated kind, in upper camel case. Immutable.
	// +required
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[A-Z][A-Za-z0-9]{0,62}$`
	Kind string `json:"kind"`

	// API group of the generated kind: a DNS subdomain with at least one dot. plait.run
	// itself is reserved. Immutable. Default: apps.plait.run.
	// +optional
	// +kubebuilder:default=apps.plait.run
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$`
	Group string `json:"group,omitempty"`

	// Whether instances live in namespaces. Immutable. Default: Namespaced.
	// +optional
	// +kubebuilder:default=Namespaced
	Scope Scope `json:"scope,omitempty"`

	// Plural resource name, as in the path of the API. Immutable. Default: the English
	// plural of the kind in lower case.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z]([-a-z0-9]*[a-z0-9])?$`
	Plural string `json:"plural,omitempty"`

	// Short names of the resource for kubectl. Default: none.
	// +optional
	// +listType=atomic
	ShortNames []string `json:"shortNames,omitempty"`

	// Categories that the resource belongs to, for `kubectl get CATEGORY`. Default: none.
	// +optional
	// +listType=atomic
	Categories []string `json:"categories,omitempty"`

	// Labels and annotations to put on the generated CustomResourceDefinition. With the
	// label plait.run/exported=true other clusters can find the kind and use it.
	// +optional
	Metadata *SchemaMetadata `json:"metadata,omitempty"`

	// The fields of the instance's spec: a map from field name to a type with markers, such
	// as `integer | default=3 minimum=1`, or to a nested map.
	// +optional
	// +kubebuilder:validation:Type=object
	// +mapType=atomic
	// +kubebuilder:pruning:PreserveUnknownFields
	Spec *runtime.RawExtension `json:"spec,omitempty"`

	// Named types that spec, and other named types, may refer to: a map from name to a
	// struct in the form of spec, or to a type with markers.
	// +optional
	// +kubebuilder:validation:Type=object
	// +mapType=atomic
	// +kubebuilder:pruning:PreserveUnknownFields
	Types *runtime.RawExtension `json:"types,omitempty"`

	// The fields of the instance's status that come from the resources: a map from field
	// name to a string with ${expressions}, or to a nested map or list of them. The types
	// are inferred. The field conditions may be a list of expressions, each giving a
	// condition or a list of them. state, observedGeneration, revision and resources are
	// Plait's.
	// +optional
	// +kubebuilder:validation:Type=object
	// +mapType=atomic
	// +kubebuilder:pruning:PreserveUnknownFields
	Status *runtime.RawExtension `json:"status,omitempty"`

	// CEL rules over the instance's whole spec, which is `self` in them. The API server
	// refuses an instance that breaks one.
	// +optional
	// +listType=atomic
	Validations []Validation `json:"validations,omitempty"`

	// Columns that `kubectl get` prints beside State, Ready and Age. A column of the same
	// name takes the place of one of these.
	// +optional
	// +listType=atomic
	AdditionalPrinterColumns []PrinterColumn `json:"additionalPrinterColumns,omitempty"`
}

// SchemaMetadata is what is put on the generated CustomResourceDefinition.
//
// +kubebuilder:pruning:PreserveUnknownFields
type SchemaMetadata struct {
	// Labels of the generated CustomResourceDefinition.
	// +optional
	Labels map[string]string `json:"labels,omitempty"`

	// Annotations of the generated CustomResourceDefinition.
	// +optional
	Annotations map[string]string `json:"annotations,omitempty"`
}

// A Validation is one CEL rule that the API server holds instances to.
//
// +kubebuilder:pruning:PreserveUnknownFields
type Validation struct {
	// The rule, in CEL. `self` is the instance's spec; with `oldSelf` it holds for updates
	// only. Always needed.
	// +optional
	Rule string `json:"rule,omitempty"`

	// What the user is told when the rule does not hold. Default: the rule itself.
	// +optional
	Message string `json:"message,omitempty"`
}

// A PrinterColumn is a column of `kubectl get`, as in a CustomResourceDefinition.
//
// +kubebuilder:pruning:PreserveUnknownFields
type PrinterColumn struct {
	// Heading of the column. Always needed.
	// +optional
	Name string `json:"name,omitempty"`

	// OpenAPI type of the value: integer, number, string, boolean or date. Always needed.
	// +optional
	Type string `json:"type,omitempty"`

	// OpenAPI format of the value. Default: none.
	// +optional
	Format string `json:"format,omitempty"`

	// What the column shows.
	// +optional
	Description string `json:"description,omitempty"`

	// 0 shows the column always, a greater number only with `-o wide`. Default: 0.
	// +optional
	Priority int32 `json:"priority,omitempty"`

	// Where the value stands in the instance, as a JSON path such as `.spec.replicas`.
	// Always needed.
	// +optional
	JSONPath string `json:"jsonPath,omitempty"`
}

// A Node is one entry of the graph. It has exactly one body: a template to apply, an
// externalRef to read, or a def to compute.
//
// +kubebuilder:pruning:PreserveUnknownFields
type Node struct {
	// Name of the node, by which expressions refer to it. Always needed, and unique within
	// the ResourceGroup: a lower-case letter, then letters and digits.
	// +optional
	ID string `json:"id,omitempty"`

	// The object to apply. Every string in it may hold ${expressions}, map keys too, but
	// apiVersion and kind are literal.
	// +optional
	// +kubebuilder:validation:Type=object
	// +mapType=atomic
	// +kubebuilder:pruning:PreserveUnknownFields
	Template *runtime.RawExtension `json:"template,omitempty"`

	// An object, or several, that exist without this ResourceGroup. They are read and
	// watched, never written, labelled or deleted.
	// +optional
	ExternalRef *ExternalRef `json:"externalRef,omitempty"`

	// Values computed from ${expressions}, for other nodes to use. Nothing is applied.
	// +optional
	// +kubebuilder:validation:Type=object
	// +mapType=atomic
	// +kubebuilder:pruning:PreserveUnknownFields
	Def *runtime.RawExtension `json:"def,omitempty"`

	// Expressions that say whether the node is wanted: all must be true. A node that is
	// not wanted is left out together with every node that needs it, and what it had
	// applied is deleted. Default: always wanted.
	// +optional
	// +listType=atomic
	IncludeWhen []string `json:"includeWhen,omitempty"`

	// Expressions that say whether the node is ready for those that need it: all must be
	// true. They see the node itself by its id or as `self`, for a collection each object
	// as `each`, and the instance as `schema`. Default: ready when the object exists.
	// +optional
	// +listType=atomic
	ReadyWhen []string `json:"readyWhen,omitempty"`

	// Makes the node a collection: one object for each item of a list. Each entry names one
	// iterator and the expression of its list; several entries make every combination, the
	// first one outermost. Other nodes see the collection as a list in that order.
	// +optional
	// +listType=atomic
	ForEach []map[string]string `json:"forEach,omitempty"`

	// Ids of nodes that must be ready first, although this one uses nothing of them.
	// Default: none.
	// +optional
	// +listType=atomic
	DependsOn []string `json:"dependsOn,omitempty"`

	// How the object is created, shared with others, replaced and deleted.
	// +optional
	Lifecycle *Lifecycle `json:"lifecycle,omitempty"`
}

// An ExternalRef points at objects that exist without the ResourceGroup.
//
// +kubebuilder:pruning:PreserveUnknownFields
type ExternalRef struct {
	// API version of the objects, such as apps/v1. Literal; always needed.
	// +optional
	APIVersion string `json:"apiVersion,omitempty"`

	// Kind of the objects. Literal; always needed.
	// +optional
	Kind string `json:"kind,omitempty"`

	// Which object or objects. Always needed.
	// +optional
	Metadata *ExternalRefMetadata `json:"metadata,omitempty"`
}

// ExternalRefMetadata says which objects are meant: one by name, or all that a selector
// matches. Exactly one of name and selector is needed.
//
// +kubebuilder:pruning:PreserveUnknownFields
type ExternalRefMetadata struct {
	// Name of the one object; may hold ${expressions}. The node waits until it exists.
	// +optional
	Name string `json:"name,omitempty"`

	// Namespace of the objects; may hold ${expressions}. "*" with a selector means all
	// namespaces. Default: the instance's namespace; for a selector of a cluster-scoped
	// instance all namespaces.
	// +optional
	Namespace string `json:"namespace,omitempty"`

	// Labels that select the objects; values may hold ${expressions}. The node is the list
	// of them, sorted by namespace and name, and may be empty.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
}

// A Lifecycle says how the object of a node is created, shared, replaced and deleted.
//
// +kubebuilder:pruning:PreserveUnknownFields
type Lifecycle struct {
	// What happens to the object when the instance is deleted or the node is no longer
	// wanted. Delete deletes it. Orphan takes Plait's marks off it and leaves it. Default:
	// Delete.
	// +optional
	Deletion LifecycleDeletion `json:"deletion,omitempty"`

	// What happens when the object exists already and Plait did not make it. Never fails.
	// IfUnowned takes it over if nobody owns it. Default: Never.
	// +optional
	Adoption LifecycleAdoption `json:"adoption,omitempty"`

	// What happens when another field manager owns a field of the template. Force takes
	// the field over. Fail leaves it and reports the conflict. Default: Force.
	// +optional
	Conflict LifecycleConflict `json:"conflict,omitempty"`

	// What happens when the template changes a field that cannot be changed. Never fails.
	// OnImmutable deletes the object and makes it anew; it needs `deletion: Delete`.
	// Default: Never.
	// +optional
	Recreate LifecycleRecreate `json:"recreate,omitempty"`

	// Paths such as spec.replicas that are set when the object is created and then left to
	// others. Default: none.
	// +optional
	// +listType=atomic
	IgnoreFields []string `json:"ignoreFields,omitempty"`
}

// LifecycleDeletion says what becomes of an object that is no longer wanted.
//
// +kubebuilder:validation:Enum=Delete;Orphan
type LifecycleDeletion string

// The values of LifecycleDeletion.
const (
	// LifecycleDeletionDelete deletes the object.
	LifecycleDeletionDelete LifecycleDeletion = "Delete"
	// LifecycleDeletionOrphan takes Plait's marks off it and leaves it.
	LifecycleDeletionOrphan LifecycleDeletion = "Orphan"
)

// LifecycleAdoption says whether an object that Plait did not make may be taken over.
//
// +kubebuilder:validation:Enum=Never;IfUnowned
type LifecycleAdoption string

// The values of LifecycleAdoption.
const (
	// LifecycleAdoptionNever takes nothing over.
	LifecycleAdoptionNever LifecycleAdoption = "Never"
	// LifecycleAdoptionIfUnowned takes over what nobody owns.
	LifecycleAdoptionIfUnowned LifecycleAdoption = "IfUnowned"
)

// LifecycleConflict says who wins when another manager owns a field of the template.
//
// +kubebuilder:validation:Enum=Force;Fail
type LifecycleConflict string

// The values of LifecycleConflict.
const (
	// LifecycleConflictForce takes the field over.
	LifecycleConflictForce LifecycleConflict = "Force"
	// LifecycleConflictFail leaves it to the other manager and reports that.
	LifecycleConflictFail LifecycleConflict = "Fail"
)

// LifecycleRecreate says when an object may be deleted and made anew.
//
// +kubebuilder:validation:Enum=Never;OnImmutable
type LifecycleRecreate string

// The values of LifecycleRecreate.
const (
	// LifecycleRecreateNever never replaces an object.
	LifecycleRecreateNever LifecycleRecreate = "Never"
	// LifecycleRecreateOnImmutable replaces it when an immutable field must change.
	LifecycleRecreateOnImmutable LifecycleRecreate = "OnImmutable"
)
