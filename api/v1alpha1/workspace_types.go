package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Workspace is a place to work in that something else implements: it points at an object,
// such as a cluster or an instance of a ResourceGroup that builds one, and Plait keeps its
// URL, phase and conditions true to that object.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,path=workspaces,singular=workspace,categories=plait
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`,description="Whether the Workspace can be used"
// +kubebuilder:printcolumn:name="URL",type=string,JSONPath=`.spec.URL`,description="Where it is served"
// +kubebuilder:printcolumn:name="Mount",type=string,JSONPath=`.spec.mount.ref.kind`,description="Kind of the object that implements it"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Workspace struct {
	metav1.TypeMeta `json:",inline"`
	// Standard object metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// What implements the Workspace.
	// +required
	Spec WorkspaceSpec `json:"spec"`

	// Whether it can be used. Written by Plait only.
	// +optional
	// +kubebuilder:default={phase:Scheduling}
	Status WorkspaceStatus `json:"status,omitempty"`
}

// A WorkspaceList is a list of Workspaces.
//
// +kubebuilder:object:root=true
type WorkspaceList struct {
	metav1.TypeMeta `json:",inline"`
	// Standard list metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`

	// The Workspaces.
	Items []Workspace `json:"items"`
}

// WorkspaceSpec says what implements a Workspace, and where it is served.
type WorkspaceSpec struct {
	// The object that implements the Workspace.
	// +required
	Mount Mount `json:"mount"`

	// Where the Workspace is served. Written by Plait, from the mount object. It is kept
	// while the object is away.
	// +optional
	URL string `json:"URL,omitempty"`
}

// A Mount points at the object that implements a Workspace.
//
// +kubebuilder:validation:XValidation:rule="self.ref == oldSelf.ref",message="ref is immutable: make a new Workspace for another object",fieldPath=".ref"
type Mount struct {
	// The object. Immutable.
	// +required
	Ref MountReference `json:"ref"`

	// The service account as which the object is read: one of the object's namespace; for a
	// cluster-scoped object `namespace/name`. It must be allowed to get the object. Default:
	// none, which only an engine started with --allow-acting-as-self accepts.
	// +optional
	// +kubebuilder:validation:MaxLength=317
	// +kubebuilder:validation:Pattern=`^([a-z0-9]([-a-z0-9]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`
	ServiceAccountName string `json:"serviceAccountName,omitempty"`
}

// A MountReference names an object of any kind.
type MountReference struct {
	// API version of the object, such as infra.example.com/v1alpha1.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=317
	APIVersion string `json:"apiVersion"`

	// Kind of the object.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind"`

	// Name of the object.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// Namespace of the object. Left out for a cluster-scoped one.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace,omitempty"`
}

// WorkspaceStatus says whether a Workspace can be used.
type WorkspaceStatus struct {
	// Scheduling until the kind of the mount object is served for the first time, Ready while
	// the object is ready, Unavailable while it is not.
	// +optional
	Phase WorkspacePhase `json:"phase,omitempty"`

	// WorkspaceMountReady.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []WorkspaceCondition `json:"conditions,omitempty"`
}

// WorkspacePhase says whether a Workspace can be used.
//
// +kubebuilder:validation:Enum=Scheduling;Ready;Unavailable
type WorkspacePhase string

// The values of WorkspacePhase.
const (
	// WorkspacePhaseScheduling waits for the mount object's kind to be served for the first
	// time.
	WorkspacePhaseScheduling WorkspacePhase = "Scheduling"
	// WorkspacePhaseReady can be used under its URL.
	WorkspacePhaseReady WorkspacePhase = "Ready"
	// WorkspacePhaseUnavailable cannot.
	WorkspacePhaseUnavailable WorkspacePhase = "Unavailable"
)

// A WorkspaceCondition is a condition in the form that kcp's Workspaces have: with a
// severity, and without a generation.
type WorkspaceCondition struct {
	// Type of the condition.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=316
	Type string `json:"type"`

	// True, False or Unknown.
	// +required
	Status metav1.ConditionStatus `json:"status"`

	// How bad it is that the condition is False: Error needs somebody to act, Warning
	// passes or may be lived with, Info is only said. Empty while it is True.
	// +optional
	Severity ConditionSeverity `json:"severity,omitempty"`

	// When status last changed.
	// +required
	LastTransitionTime metav1.Time `json:"lastTransitionTime"`

	// Why, as one word in camel case.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Reason string `json:"reason,omitempty"`

	// Why, for people.
	// +optional
	// +kubebuilder:validation:MaxLength=32768
	Message string `json:"message,omitempty"`
}

// ConditionSeverity says how bad it is that a condition is False.
//
// +kubebuilder:validation:Enum=Error;Warning;Info;""
type ConditionSeverity string

// The values of ConditionSeverity.
const (
	// SeverityError needs somebody to act.
	SeverityError ConditionSeverity = "Error"
	// SeverityWarning passes by itself, or may be lived with.
	SeverityWarning ConditionSeverity = "Warning"
	// SeverityInfo is only said.
	SeverityInfo ConditionSeverity = "Info"
	// SeverityNone goes with a condition that is True.
	SeverityNone ConditionSeverity = ""
)
