package v1alpha1

// Field managers of server-side apply.
const (
	// FieldManager is the manager of every write of the engine to its own cluster.
	FieldManager = "plait.run"
	// ClaimManager is the manager of finalizer and inventory of an instance. It is not FieldManager, since an instance
	// may be a child of another one, and an apply by one manager drops what the same manager applied before.
	ClaimManager = "plait.run/claim"
	// SyncManager is the manager of what the sync writes to the objects of this cluster: finalizer, status, conflicts.
	SyncManager = "plait.run/sync"
	// SyncFieldManagerPrefix, followed by the beginning of the consumer cluster's UID, is
	// the manager of what a consumer writes to a provider.
	SyncFieldManagerPrefix = "plait-sync-"
)

// Labels. Values are short: identities that could be long are UIDs.
const (
	// LabelOwned is "true" on every child. The engine's cache of children selects by it.
	LabelOwned = "plait.run/owned"
	// LabelInstanceUID is the UID of a child's instance.
	LabelInstanceUID = "plait.run/instance-uid"
	// LabelBucket is the instance's UID modulo BucketCount, on the instance and its
	// children.
	LabelBucket = "plait.run/bucket"
	// LabelManagedBy is Kubernetes' own; its value is ManagedByPlait.
	LabelManagedBy = "app.kubernetes.io/managed-by"
	// LabelResourceGroupUID is the UID of the ResourceGroup, on its generated CRD and on
	// its revisions. A CRD without it is not ours.
	LabelResourceGroupUID = "plait.run/resource-group-uid"
	// LabelRevisionHash is the beginning of the hash of a revision, on the revision.
	LabelRevisionHash = "plait.run/revision-hash"
	// LabelExported is "true" on CRDs that other clusters may use.
	LabelExported = "plait.run/exported"
	// LabelExportedKbind is how kbind says the same; it is honoured as well.
	LabelExportedKbind = "core.kbind.io/exported"
	// LabelManaged is "true" on what the Connection controller made: installed CRDs, the
	// ClusterBinding of autoBind, namespaces on the provider.
	LabelManaged = "plait.run/managed"
	// LabelConnection is the name of the Connection, on what its controller made.
	LabelConnection = "plait.run/connection"
	// LabelConsumerClusterUID is the UID of the consumer cluster, on copies at a provider.
	LabelConsumerClusterUID = "plait.run/consumer-cluster-uid"
	// LabelAggregateToEngine is "true" on ClusterRoles that extend the engine's own rights.
	LabelAggregateToEngine = "plait.run/aggregate-to-engine"
)

// Values of labels.
const (
	// True is the value of labels and annotations that only say yes.
	True = "true"
	// ManagedByPlait is the value of LabelManagedBy.
	ManagedByPlait = "plait.run"
	// BucketCount is the number of values of LabelBucket, which counts from 0.
	BucketCount = 256
)

// ApplySet labels and annotations, as KEP-3659 defines them.
const (
	// LabelApplySetID is the id of the set, on its parent: the instance.
	LabelApplySetID = "applyset.kubernetes.io/id"
	// LabelApplySetPartOf is the id of the set, on its members: the children.
	LabelApplySetPartOf = "applyset.kubernetes.io/part-of"
	// LabelApplySetParentType is "true" on CRDs whose objects may be parents.
	LabelApplySetParentType = "applyset.kubernetes.io/is-parent-type"
	// AnnotationApplySetTooling names the program that manages the set.
	AnnotationApplySetTooling = "applyset.kubernetes.io/tooling"
	// AnnotationApplySetGroupKinds lists the kinds that the set may contain.
	AnnotationApplySetGroupKinds = "applyset.kubernetes.io/contains-group-kinds"
	// AnnotationApplySetNamespaces lists the namespaces of members beside the parent's.
	AnnotationApplySetNamespaces = "applyset.kubernetes.io/additional-namespaces"
)

// Annotations that Plait writes.
const (
	// AnnotationInstance names kind, namespace and name of a child's instance.
	AnnotationInstance = "plait.run/instance"
	// AnnotationNode is the id of a child's node.
	AnnotationNode = "plait.run/node"
	// AnnotationNeeds lists the ids that a child's node needs. Deletion goes by it.
	AnnotationNeeds = "plait.run/needs"
	// AnnotationAppliedHash is the hash of what was last applied, with the number of the
	// hash's algorithm.
	AnnotationAppliedHash = "plait.run/applied-hash"
	// AnnotationItem says which item of a collection a child is.
	AnnotationItem = "plait.run/item"
	// AnnotationDeletion is DeletionPolicyOrphan on a child that outlives its instance:
	// deletion knows no graph.
	AnnotationDeletion = "plait.run/deletion"
	// AnnotationResourceGroup is the name of the ResourceGroup, on its generated CRD.
	AnnotationResourceGroup = "plait.run/resource-group"
	// AnnotationSchemaHash is the hash of the schema that a CRD was installed from.
	AnnotationSchemaHash = "plait.run/schema-hash"
	// AnnotationConnection is the name of the Connection on what its controller made, beside LabelConnection: a label
	// is easily taken away.
	AnnotationConnection = "plait.run/connection"
	// AnnotationConsumerClusterUID is the UID of the consumer cluster, on copies at a
	// provider. Only with AnnotationConsumerObjectUID, and the field manager, is a copy
	// ours.
	AnnotationConsumerClusterUID = "plait.run/consumer-cluster-uid"
	// AnnotationConsumerObjectUID is the UID of the consumer's object, on its copy.
	AnnotationConsumerObjectUID = "plait.run/consumer-object-uid"
	// AnnotationConsumerGeneration is the generation of the consumer's object that made
	// the copy what it is.
	AnnotationConsumerGeneration = "plait.run/consumer-generation"
	// AnnotationConsumerNamespace is the namespace of the consumer's object, on its copy and
	// on namespaces that were made for copies.
	AnnotationConsumerNamespace = "plait.run/consumer-namespace"
	// AnnotationBindingUID is the UID of the binding that an object is copied for.
	AnnotationBindingUID = "plait.run/binding-uid"
	// AnnotationProviderClusterUID is the UID of the provider cluster, on what was copied
	// from there into this cluster.
	AnnotationProviderClusterUID = "plait.run/provider-cluster-uid"
	// AnnotationProviderObjectUID is the UID of the provider's object, on its copy here.
	AnnotationProviderObjectUID = "plait.run/provider-object-uid"
	// AnnotationAdopted is "true" on a copy that was there before: it is released, never
	// deleted.
	AnnotationAdopted = "plait.run/adopted"
	// AnnotationProviderAccount names, on a Secret that plait connect has written, the account that it made at the provider.
	AnnotationProviderAccount = "plait.run/provider-account"
	// AnnotationConflict says, on a consumer's object, what stands in its way.
	AnnotationConflict = "plait.run/conflict"
)

// Annotations that users write, and some of their values.
const (
	// AnnotationReconcile on an instance, or on a ResourceGroup for all of its instances,
	// is ReconcileSuspended to have nothing written. Deletion works all the same.
	AnnotationReconcile = "plait.run/reconcile"
	// ReconcileSuspended is the value of AnnotationReconcile that has a meaning.
	ReconcileSuspended = "suspended"
	// AnnotationReconcileAt on an instance asks, with each new value, for one full pass.
	AnnotationReconcileAt = "plait.run/reconcile-at"
	// AnnotationRevision on an instance is the number of the revision to stay on.
	AnnotationRevision = "plait.run/revision"
	// AnnotationRelease is "true" on an instance that is being deleted to let go of it
	// although children are left.
	AnnotationRelease = "plait.run/release"
	// AnnotationAllowBreakingChanges on a ResourceGroup is the generation whose breaking
	// changes are let through.
	AnnotationAllowBreakingChanges = "plait.run/allow-breaking-changes"
	// AnnotationDeletionPolicy on a consumer's object is DeletionPolicyOrphan to leave its
	// copy at the provider when it is deleted.
	AnnotationDeletionPolicy = "plait.run/deletion-policy"
	// DeletionPolicyOrphan is the value of AnnotationDeletionPolicy that has a meaning.
	DeletionPolicyOrphan = "Orphan"
)

// Annotations of kcp's legacy form of mounts.
const (
	// AnnotationMount on a Workspace holds reference and status as JSON.
	AnnotationMount = "experimental.tenancy.kcp.io/mount"
	// AnnotationIsMount is "true" on an object that can be mounted.
	AnnotationIsMount = "experimental.tenancy.kcp.io/is-mount"
	// AnnotationOwningWorkspace on a mount object is an OwnerReference as JSON.
	AnnotationOwningWorkspace = "experimental.tenancy.kcp.io/owning-workspace"
)

// Finalizers.
const (
	// FinalizerInstance holds an instance until its children are gone.
	FinalizerInstance = "plait.run/instance"
	// FinalizerResourceGroup holds a ResourceGroup until its instances are gone.
	FinalizerResourceGroup = "plait.run/resourcegroup"
	// FinalizerCleanup holds a Connection, its Secret and its bindings until nothing is
	// left to do at the provider.
	FinalizerCleanup = "plait.run/cleanup"
	// FinalizerSync holds a consumer's object until its copy at the provider is gone.
	FinalizerSync = "plait.run/sync"
)

// MountsControllerName names the controller of Workspaces in logs, metrics and events.
const MountsControllerName = "plait-workspace-mounts"
