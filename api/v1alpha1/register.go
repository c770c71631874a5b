package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupName is the API group of Plait's own kinds. A ResourceGroup may not serve a kind in
// it.
const GroupName = "plait.run"

// DefaultGroup is the API group of generated kinds whose ResourceGroup names none.
const DefaultGroup = "apps.plait.run"

var (
	// GroupVersion is the group and version of every kind in this package.
	GroupVersion = schema.GroupVersion{Group: GroupName, Version: "v1alpha1"}

	// SchemeBuilder collects the functions that AddToScheme runs.
	SchemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)

	// AddToScheme registers every kind of this package, and its list kind, with a scheme.
	AddToScheme = SchemeBuilder.AddToScheme
)

// Kinds, as they are written in `kind:`.
const (
	KindResourceGroup         = "ResourceGroup"
	KindResourceGroupRevision = "ResourceGroupRevision"
	KindConnection            = "Connection"
	KindClusterBinding        = "ClusterBinding"
	KindBinding               = "Binding"
	KindWorkspace             = "Workspace"
)

// Kind qualifies a kind with the group of this package.
func Kind(kind string) schema.GroupKind { return GroupVersion.WithKind(kind).GroupKind() }

// Resource qualifies a plural resource name with the group of this package.
func Resource(resource string) schema.GroupResource {
	return GroupVersion.WithResource(resource).GroupResource()
}

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion,
		&ResourceGroup{}, &ResourceGroupList{},
		&ResourceGroupRevision{}, &ResourceGroupRevisionList{},
		&Connection{}, &ConnectionList{},
		&ClusterBinding{}, &ClusterBindingList{},
		&Binding{}, &BindingList{},
		&Workspace{}, &WorkspaceList{},
	)
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
