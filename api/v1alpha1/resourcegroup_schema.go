package v1alpha1

import (
	"k8s.io/apimachinery/pkg/runtime"
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
