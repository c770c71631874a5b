package v1alpha1

// Reason is the reason of a condition, or of a state in a list of a status.
type Reason string

// Reasons that several kinds use.
const (
	// ReasonAvailable: everything is there.
	ReasonAvailable Reason = "Available"
	// ReasonConflict: something of somebody else is in the way.
	ReasonConflict Reason = "Conflict"
	// ReasonForbidden: a right is missing; the message says which.
	ReasonForbidden Reason = "Forbidden"
	// ReasonSuspended: nothing is written by request of a user.
	ReasonSuspended Reason = "Suspended"
	// ReasonUnknownValue: an annotation has a key or value that means nothing, and is ignored.
	ReasonUnknownValue Reason = "UnknownValue"
	// ReasonTerminating: it is being deleted and waits for something.
	ReasonTerminating Reason = "Terminating"
)

// Reasons of a ResourceGroup's conditions.
const (
	// ReasonValid: the spec compiles.
	ReasonValid Reason = "Valid"
	// ReasonInvalidGraph: the spec does not compile.
	ReasonInvalidGraph Reason = "InvalidGraph"
	// ReasonKindNotInstalled: no CRD or built-in API has a kind that a node uses.
	ReasonKindNotInstalled Reason = "KindNotInstalled"
	// ReasonGroupUnavailable: an API group does not answer discovery.
	ReasonGroupUnavailable Reason = "GroupUnavailable"
	// ReasonServed: the generated CRD is in place.
	ReasonServed Reason = "Served"
	// ReasonBreakingChange: the new CRD would break existing instances.
	ReasonBreakingChange Reason = "BreakingChange"
	// ReasonNotEstablished: the API server does not serve the generated CRD yet.
	ReasonNotEstablished Reason = "NotEstablished"
	// ReasonRunning: the controller of the instances runs.
	ReasonRunning Reason = "Running"
	// ReasonEngineForbidden: the engine lacks rights that the graph needs.
	ReasonEngineForbidden Reason = "EngineForbidden"
	// ReasonCacheNotSynced: a cache that the controller reads is not complete yet.
	ReasonCacheNotSynced Reason = "CacheNotSynced"
	// ReasonAllowed: the author may use the named service accounts.
	ReasonAllowed Reason = "Allowed"
	// ReasonDenied: the author may not.
	ReasonDenied Reason = "Denied"
	// ReasonNotChecked: nothing checks that; the admission policy is not installed.
	ReasonNotChecked Reason = "NotChecked"
)

// Reasons of an instance's conditions. Available, Forbidden and Conflict are used too.
const (
	// ReasonProgressing: working or waiting; nothing is wrong.
	ReasonProgressing Reason = "Progressing"
	// ReasonInvalidInput: a value of the instance cannot be used.
	ReasonInvalidInput Reason = "InvalidInput"
	// ReasonEvaluationFailed: an expression failed.
	ReasonEvaluationFailed Reason = "EvaluationFailed"
	// ReasonAdmissionDenied: a quota, policy or webhook refused a child.
	ReasonAdmissionDenied Reason = "AdmissionDenied"
	// ReasonObjectNotOwned: an object that Plait did not make has a child's name.
	ReasonObjectNotOwned Reason = "ObjectNotOwned"
	// ReasonNoServiceAccount: no service account is named for the namespace.
	ReasonNoServiceAccount Reason = "NoServiceAccount"
	// ReasonServiceAccountNotFound: the named service account does not exist.
	ReasonServiceAccountNotFound Reason = "ServiceAccountNotFound"
	// ReasonActingAsSelf: the engine writes as itself, as it was started to.
	ReasonActingAsSelf Reason = "ActingAsSelf"
	// ReasonRevisionIncompatible: the revision cannot run on the served schema.
	ReasonRevisionIncompatible Reason = "RevisionIncompatible"
	// ReasonInvalidObject: the API server refused a child as invalid.
	ReasonInvalidObject Reason = "InvalidObject"
	// ReasonApplyError: a write failed in passing.
	ReasonApplyError Reason = "ApplyError"
	// ReasonDeleting: children are being deleted.
	ReasonDeleting Reason = "Deleting"
	// ReasonDeletionStalled: children do not go, for longer than the grace period.
	ReasonDeletionStalled Reason = "DeletionStalled"
	// ReasonDeletionForbidden: the right to delete a child is missing.
	ReasonDeletionForbidden Reason = "DeletionForbidden"
)

// Reasons of a Connection's and a binding's conditions. Forbidden, Conflict and Suspended are used
// too.
const (
	// ReasonAsExpected: all is well.
	ReasonAsExpected Reason = "AsExpected"
	// ReasonSecretNotFound: the Secret does not exist.
	ReasonSecretNotFound Reason = "SecretNotFound"
	// ReasonSecretNamespaceForbidden: the Secret is not where secrets may be.
	ReasonSecretNamespaceForbidden Reason = "SecretNamespaceForbidden"
	// ReasonSecretKeyMissing: the Secret lacks the key.
	ReasonSecretKeyMissing Reason = "SecretKeyMissing"
	// ReasonKubeconfigInvalid: the kubeconfig cannot be read, or has credentials that no API server accepts.
	ReasonKubeconfigInvalid Reason = "KubeconfigInvalid"
	// ReasonKubeconfigUnsafe: the kubeconfig has something that is refused.
	ReasonKubeconfigUnsafe Reason = "KubeconfigUnsafe"
	// ReasonUnreachable: the provider does not answer.
	ReasonUnreachable Reason = "Unreachable"
	// ReasonClusterIdentityChanged: another cluster answers than the pinned one.
	ReasonClusterIdentityChanged Reason = "ClusterIdentityChanged"
	// ReasonClusterIdentityUnreadable: which cluster answers cannot be told.
	ReasonClusterIdentityUnreadable Reason = "ClusterIdentityUnreadable"
	// ReasonDiscoveryFailed: the exports could not be read, three times in a row.
	ReasonDiscoveryFailed Reason = "DiscoveryFailed"
	// ReasonDrainingBindings: deletion waits for bindings.
	ReasonDrainingBindings Reason = "DrainingBindings"
	// ReasonReleasingObjects: deletion waits for objects.
	ReasonReleasingObjects Reason = "ReleasingObjects"
	// ReasonAPIBoundElsewhere: an older binding of another Connection has the API.
	ReasonAPIBoundElsewhere Reason = "APIBoundElsewhere"
	// ReasonConnectionNotFound: the binding's Connection does not exist.
	ReasonConnectionNotFound Reason = "ConnectionNotFound"
	// ReasonConnectionNotReady: the binding's Connection is not Ready.
	ReasonConnectionNotReady Reason = "ConnectionNotReady"
	// ReasonNamespaceNotAllowed: the Connection does not allow the binding's namespace.
	ReasonNamespaceNotAllowed Reason = "NamespaceNotAllowed"
	// ReasonAPINotExported: the provider does not export the API.
	ReasonAPINotExported Reason = "APINotExported"
	// ReasonAPIWithdrawn: the provider no longer exports the API.
	ReasonAPIWithdrawn Reason = "APIWithdrawn"
	// ReasonClusterScoped: a Binding cannot bind an API whose objects live in no namespace.
	ReasonClusterScoped Reason = "ClusterScoped"
	// ReasonNamespaceNotFound: the provider lacks the namespace, and it may not be made.
	ReasonNamespaceNotFound Reason = "NamespaceNotFound"
	// ReasonNamespaceCollision: two namespaces of this cluster would share one there.
	ReasonNamespaceCollision Reason = "NamespaceCollision"
	// ReasonObjectsRefused: the provider refuses some objects; each says why.
	ReasonObjectsRefused Reason = "ObjectsRefused"
	// ReasonSyncing: objects are on their way.
	ReasonSyncing Reason = "Syncing"
)

// Reasons of WorkspaceMountReady.
const (
	// ReasonMountReady: the mount object is ready and has a URL.
	ReasonMountReady Reason = "MountReady"
	// ReasonMountKindNotServed: the kind of the mount object is not served.
	ReasonMountKindNotServed Reason = "MountKindNotServed"
	// ReasonMountObjectNotFound: the mount object does not exist.
	ReasonMountObjectNotFound Reason = "MountObjectNotFound"
	// ReasonMountObjectNotReady: the mount object is not ready.
	ReasonMountObjectNotReady Reason = "MountObjectNotReady"
	// ReasonMountURLMissing: the mount object is ready and has no URL.
	ReasonMountURLMissing Reason = "MountURLMissing"
	// ReasonMountURLInvalid: the mount object's URL cannot be used.
	ReasonMountURLInvalid Reason = "MountURLInvalid"
	// ReasonMountReferenceInvalid: the reference cannot mean any object.
	ReasonMountReferenceInvalid Reason = "MountReferenceInvalid"
	// ReasonMountForbidden: the mount object may not be read.
	ReasonMountForbidden Reason = "MountForbidden"
	// ReasonMountConflict: both forms of a mount are on one Workspace.
	ReasonMountConflict Reason = "MountConflict"
	// ReasonMountAnnotationInvalid: the annotation of the legacy form cannot be read.
	ReasonMountAnnotationInvalid Reason = "MountAnnotationInvalid"
	// ReasonMountRivalController: another controller keeps changing the condition back.
	ReasonMountRivalController Reason = "MountRivalController"
)
