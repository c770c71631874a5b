package explain

import (
	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/inspect"
)

// providerCures are the cures for Connections, bindings and Workspaces, in the order of the reasons in package v1alpha1.
var providerCures = map[key]cure{
	{inspect.ClassConnection, v1alpha1.ReasonForbidden}: {
		"Give the account of the kubeconfig the right at the provider that the message names.",
		"kubectl get {object} -o yaml",
	},
	{inspect.ClassConnection, v1alpha1.ReasonSecretNotFound}: {
		"Create the Secret that spec.kubeconfigSecretRef names, with a kubeconfig of the provider; `plait connect` makes both.",
		"kubectl get {object} -o jsonpath='{.spec.kubeconfigSecretRef}'",
	},
	{inspect.ClassConnection, v1alpha1.ReasonSecretNamespaceForbidden}: {
		"Move the Secret to the namespace that the engine keeps secrets in, and make the Connection anew: the reference is immutable.",
		"kubectl get {object} -o jsonpath='{.spec.kubeconfigSecretRef}'",
	},
	{inspect.ClassConnection, v1alpha1.ReasonSecretKeyMissing}: {
		"Put the kubeconfig under the key that spec.kubeconfigSecretRef.key names.",
		"kubectl get {object} -o jsonpath='{.spec.kubeconfigSecretRef}'",
	},
	{inspect.ClassConnection, v1alpha1.ReasonKubeconfigInvalid}: {
		"Write a kubeconfig with a current context, its cluster, and its user with a token or a client certificate into the Secret.",
		"kubectl get {object} -o yaml",
	},
	{inspect.ClassConnection, v1alpha1.ReasonKubeconfigUnsafe}: {
		"Write a self-contained kubeconfig: certificates and token inside, https, no exec plugin, no file, no proxy; `plait connect` with --create-account makes one, with an account of just the rights that it takes.",
		"kubectl get {object} -o jsonpath='{.status.conditions}'",
	},
	{inspect.ClassConnection, v1alpha1.ReasonUnreachable}: {
		"See that the provider's API server runs and can be reached from the engine. If the message speaks of a certificate, write the CA " +
			"that signed it into certificate-authority-data of the kubeconfig in the Secret.",
		"kubectl get {object} -o jsonpath='{.status.providerHost}'",
	},
	{inspect.ClassConnection, v1alpha1.ReasonClusterIdentityChanged}: {
		"Another cluster answers under that address. If it is meant, set spec.acceptClusterUID to its UID; else mend the kubeconfig.",
		"kubectl get {object} -o jsonpath='{.status.remoteClusterUID}'",
	},
	{inspect.ClassConnection, v1alpha1.ReasonClusterIdentityUnreadable}: {
		"Renew the credentials if they are not accepted; else let their account get the namespace kube-system at the provider (in kcp: the LogicalCluster).",
		"kubectl get {object} -o yaml",
	},
	{inspect.ClassConnection, v1alpha1.ReasonDiscoveryFailed}: {
		"See how the provider's API server is: it answers, but not to the question for its APIs.",
		"kubectl get {object} -o yaml",
	},
	{inspect.ClassConnection, v1alpha1.ReasonDrainingBindings}: {
		"Delete the bindings that the message names.", "plait tree {object}",
	},
	{anyClass, v1alpha1.ReasonReleasingObjects}: {
		"Wait: objects are being let go of. If the provider is gone for good, set spec.abandon on the Connection.",
		"plait tree {object}",
	},
	{anyClass, v1alpha1.Reason(v1alpha1.ExportedAPIConflict)}: {
		"Resolve the conflict that the message names: something of somebody else has the name, or the provider's change breaks what is here.",
		"plait tree {object}",
	},
	{anyClass, v1alpha1.ReasonBreakingChange}: {
		"Have the provider take the change back, or serve it as a new version. Once no object of the API is left here, you can delete its definition: it is installed anew.",
		"kubectl get {object} -o yaml",
	},
	{anyClass, v1alpha1.Reason(v1alpha1.ExportedAPIInvalid)}: {
		"Have the provider correct the schema of the API.", "kubectl get {object} -o yaml",
	},
	{anyClass, v1alpha1.Reason(v1alpha1.ExportedAPIUnsupported)}: {
		"Have the provider export one version of the API, or versions of one schema; or leave it out with spec.schema.exclude.",
		"kubectl get {object} -o yaml",
	},
	{anyClass, v1alpha1.ReasonAPIWithdrawn}: {
		"Have the provider export the API again. Objects and their definition stay here meanwhile.",
		"kubectl get {object} -o yaml",
	},

	{inspect.ClassBinding, v1alpha1.ReasonForbidden}: {
		"Give the account of the Connection's kubeconfig the right at the provider that the message names.",
		"kubectl get {object} -o yaml",
	},
	{inspect.ClassBinding, v1alpha1.ReasonConflict}: {
		"An object of that name exists at the provider: rename yours, have it removed there, or set spec.conflictPolicy: Adopt on the binding.",
		"kubectl get {object} -o yaml",
	},
	{inspect.ClassBinding, v1alpha1.ReasonAPIBoundElsewhere}: {
		"An older binding of another Connection has the API: take it out of one of the two.",
		"kubectl get clusterbindings,pbinding -A",
	},
	{inspect.ClassBinding, v1alpha1.ReasonConnectionNotFound}: {
		"Create the Connection that spec.connectionRef names; the order does not matter.", "kubectl get connections",
	},
	{inspect.ClassBinding, v1alpha1.ReasonConnectionNotReady}: {
		"Mend the Connection first.", "plait explain {object}",
	},
	{inspect.ClassBinding, v1alpha1.ReasonNamespaceNotAllowed}: {
		"Have spec.allowedNamespaces of the Connection select the labels of namespace {namespace}, or use a ClusterBinding.",
		"kubectl get namespace {namespace} --show-labels",
	},
	{inspect.ClassBinding, v1alpha1.ReasonAPINotExported}: {
		"Have the provider label the definition of the API with plait.run/exported=true, or correct the name.",
		"kubectl get connections -o yaml",
	},
	{inspect.ClassBinding, v1alpha1.ReasonClusterScoped}: {
		"Bind the API with a ClusterBinding.", "kubectl get clusterbindings",
	},
	{inspect.ClassBinding, v1alpha1.ReasonNamespaceNotFound}: {
		"Have the provider make the namespace, or let the account of the Connection's kubeconfig create namespaces there.",
		"kubectl get {object} -o yaml",
	},
	{inspect.ClassBinding, v1alpha1.ReasonNamespaceCollision}: {
		"Use another prefix in spec.namespaceMapping of the binding, or another namespace here.",
		"kubectl get {object} -o yaml",
	},
	{inspect.ClassBinding, v1alpha1.ReasonObjectsRefused}: {
		"Look at the objects that the provider refuses: each says why in its condition Synced.",
		"plait tree {object}",
	},
	{inspect.ClassBinding, v1alpha1.ReasonInvalidObject}: {
		"The provider refuses the object: correct the field that the message names.", "kubectl edit {object}",
	},
	{inspect.ClassBinding, v1alpha1.ReasonAdmissionDenied}: {
		"A quota or policy of the provider says no: ask for less, or ask the provider.", "kubectl get {object} -o yaml",
	},
	{inspect.ClassBinding, v1alpha1.ReasonSyncing}: {"Wait: objects are on their way.", "plait tree {object} --watch"},

	{inspect.ClassWorkspace, v1alpha1.ReasonMountKindNotServed}: {
		"Install the kind that spec.mount.ref names, or apply the ResourceGroup that serves it.", "kubectl get crds,resourcegroups",
	},
	{inspect.ClassWorkspace, v1alpha1.ReasonMountObjectNotFound}: {
		"Create the object that spec.mount.ref names, or make a Workspace for another one.",
		"kubectl get {object} -o jsonpath='{.spec.mount.ref}'",
	},
	{inspect.ClassWorkspace, v1alpha1.ReasonMountObjectNotReady}: {
		"Find out at the mounted object why it is not ready.", "plait tree {object}",
	},
	{inspect.ClassWorkspace, v1alpha1.ReasonMountURLMissing}: {
		"Have the object say where it is served: in status.URL. A ResourceGroup does it with URL: ${…} in schema.status.",
		"plait tree {object}",
	},
	{inspect.ClassWorkspace, v1alpha1.ReasonMountURLInvalid}: {
		"Have the object give an https URL with a host, and without user, query or fragment.", "plait tree {object}",
	},
	{inspect.ClassWorkspace, v1alpha1.ReasonMountReferenceInvalid}: {
		"Correct spec.mount.ref: a namespace for a namespaced kind, none for a cluster-scoped one. It is immutable: make the Workspace anew.",
		"kubectl get {object} -o yaml",
	},
	{inspect.ClassWorkspace, v1alpha1.ReasonMountForbidden}: {
		"Name a service account in spec.mount.serviceAccountName that may get the object, and give it that right.",
		"kubectl get {object} -o jsonpath='{.spec.mount}'",
	},
	{inspect.ClassWorkspace, v1alpha1.ReasonMountConflict}: {
		"Remove one of the two forms of the mount: spec.mount or the annotation.", "kubectl get {object} -o yaml",
	},
	{inspect.ClassWorkspace, v1alpha1.ReasonMountAnnotationInvalid}: {
		"Correct the JSON of the annotation experimental.tenancy.kcp.io/mount.", "kubectl get {object} -o yaml",
	},
	{inspect.ClassWorkspace, v1alpha1.ReasonMountRivalController}: {
		"Let one controller keep the Workspace: turn the other one's mounts off, or Plait's.", "kubectl get {object} -o yaml",
	},
}
