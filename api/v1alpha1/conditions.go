package v1alpha1

// ConditionType is the type of a condition that Plait writes.
type ConditionType string

// ConditionReady sums up all others, on every kind that has conditions but Workspace.
const ConditionReady ConditionType = "Ready"

// Conditions of a ResourceGroup.
const (
	// ConditionGraphAccepted says whether the spec compiles; if not, its message is the
	// diagnostics.
	ConditionGraphAccepted ConditionType = "GraphAccepted"
	// ConditionKindsAvailable says whether every kind that the nodes use is installed.
	ConditionKindsAvailable ConditionType = "KindsAvailable"
	// ConditionKindServed says whether the generated CRD is in place.
	ConditionKindServed ConditionType = "KindServed"
	// ConditionControllerReady says whether the controller of the instances runs.
	ConditionControllerReady ConditionType = "ControllerReady"
	// ConditionServiceAccountsAllowed says whether the named service accounts may be used.
	ConditionServiceAccountsAllowed ConditionType = "ServiceAccountsAllowed"
)

// Conditions of an instance, beside Ready.
const (
	// ConditionInstanceManaged says whether finalizer and inventory are in place.
	ConditionInstanceManaged ConditionType = "InstanceManaged"
	// ConditionServiceAccountResolved says who acts, or why nobody can.
	ConditionServiceAccountResolved ConditionType = "ServiceAccountResolved"
	// ConditionGraphResolved says which revision runs; True only after an evaluation.
	ConditionGraphResolved ConditionType = "GraphResolved"
	// ConditionResourcesReady says whether every node is Ready or Excluded.
	ConditionResourcesReady ConditionType = "ResourcesReady"
	// ConditionReconciling is True while IN_PROGRESS or ERROR, and absent otherwise.
	ConditionReconciling ConditionType = "Reconciling"
	// ConditionStalled is True while FAILED, and absent otherwise.
	ConditionStalled ConditionType = "Stalled"
	// ConditionSuspended is True while suspended, and absent otherwise.
	ConditionSuspended ConditionType = "Suspended"
	// ConditionStatusProjected is False while a field of schema.status fails, and absent
	// otherwise.
	ConditionStatusProjected ConditionType = "StatusProjected"
)

// Conditions of a Connection and of bindings.
const (
	// ConditionSecretValid says whether the kubeconfig can be used.
	ConditionSecretValid ConditionType = "SecretValid"
	// ConditionConnected says whether the pinned provider cluster is reached.
	ConditionConnected ConditionType = "Connected"
	// ConditionPermissionDenied is True while the provider refuses something.
	ConditionPermissionDenied ConditionType = "PermissionDenied"
	// ConditionSchemaInSync says whether the installed schemas are as they should be.
	ConditionSchemaInSync ConditionType = "SchemaInSync"
	// ConditionSynced says whether all objects of a binding agree with their copies.
	ConditionSynced ConditionType = "Synced"
	// ConditionConflicts is True while objects of others are in the way.
	ConditionConflicts ConditionType = "Conflicts"
)

// ConditionWorkspaceMountReady says whether the mount object of a Workspace is ready.
const ConditionWorkspaceMountReady ConditionType = "WorkspaceMountReady"

// AllResourceGroupConditions lists the conditions of a ResourceGroup, causes first.
func AllResourceGroupConditions() []ConditionType {
	return []ConditionType{
		ConditionGraphAccepted, ConditionKindsAvailable, ConditionKindServed,
		ConditionControllerReady, ConditionServiceAccountsAllowed, ConditionReady,
	}
}

// AllConnectionConditions lists the conditions of a Connection, causes first.
func AllConnectionConditions() []ConditionType {
	return []ConditionType{
		ConditionSecretValid, ConditionConnected, ConditionPermissionDenied,
		ConditionSchemaInSync, ConditionReady,
	}
}

// AllBindingConditions lists the conditions of a binding, causes first.
func AllBindingConditions() []ConditionType {
	return []ConditionType{
		ConditionPermissionDenied, ConditionConflicts, ConditionSynced, ConditionReady,
	}
}
