package explain

import (
	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/inspect"
)

// cure is what to do about a reason, and the command that shows more. Words in braces are those of placeholders.
type cure struct{ next, command string }

// Cures that no reason stands for.
var (
	notLookedAt = cure{
		"See that an engine runs, and that it can reach this cluster.",
		"kubectl get leases,pods -n plait-system",
	}
	missing = cure{"Create it, or correct the reference.", "kubectl get {object}"}
	look    = cure{"Look at the object itself.", "kubectl describe {object}"}
)

// stateCures are for nodes that have no reason of their own.
var stateCures = map[v1alpha1.NodeState]cure{
	v1alpha1.NodeApplied: {
		"It exists and is not ready: find out at the object what keeps it. If the object is well, its readyWhen asks for something that never comes.",
		"kubectl describe {object}",
	},
	v1alpha1.NodeWaiting: {
		"Bring about what it waits for, or correct the name or the expression that refers to it.",
		"plait tree {owner}",
	},
	v1alpha1.NodeDeleting: {
		"Have whoever put the finalizer on the object let go of it.",
		"kubectl get {object} -o yaml",
	},
	v1alpha1.NodeFailed: {
		"Change what the message names: a value of the instance, the ResourceGroup, or a right.",
		"kubectl describe {owner}",
	},
}

// cureFor finds the cure for the first reason that has one.
func cureFor(class inspect.Class, reasons ...string) cure {
	for _, reason := range reasons {
		for _, table := range []map[key]cure{cures, providerCures} {
			for _, c := range []inspect.Class{class, anyClass} {
				if found, ok := table[key{c, v1alpha1.Reason(reason)}]; ok {
					return found
				}
			}
		}
	}
	return look
}

type key struct {
	class  inspect.Class
	reason v1alpha1.Reason
}

const anyClass inspect.Class = ""

// cures are those for ResourceGroups and instances, in the order of the reasons in package v1alpha1.
var cures = map[key]cure{
	{inspect.ClassInstance, v1alpha1.ReasonForbidden}: {
		"Apply the roles that the command below prints, and bind the one for the account: `kubectl create rolebinding {account} -n {namespace} " +
			"--clusterrole plait-account-{group} --serviceaccount {account-namespace}:{account}`. It goes on by itself within minutes; to have it " +
			"at once: `kubectl annotate {owner} plait.run/reconcile-at=\"$(date)\" --overwrite`.",
		"kubectl get resourcegroup {group} -o yaml | plait rbac -f -",
	},
	{inspect.ClassInstance, v1alpha1.ReasonConflict}: {
		"Let one of the two write the field: take it out of the template, or out of the other tool; lifecycle.conflict: Force takes it.",
		"kubectl get {object} -o yaml --show-managed-fields",
	},
	{anyClass, v1alpha1.ReasonSuspended}: {
		"Resume it by removing the annotation: kubectl annotate {object} plait.run/reconcile-",
		"kubectl get {object} -o yaml",
	},
	{anyClass, "UnknownValue"}:             {"Correct the value of the annotation, or remove it.", "kubectl get {object} -o yaml"},
	{anyClass, v1alpha1.ReasonProgressing}: {"Nothing: it is being worked on.", "plait tree {owner} --watch"},

	{inspect.ClassGroup, v1alpha1.ReasonInvalidGraph}: {
		"Correct the document: `plait validate -f` shows every mistake with its line and cure. Instances run on the last good revision meanwhile.",
		"kubectl get {object} -o yaml | plait validate -f -",
	},
	{inspect.ClassGroup, v1alpha1.ReasonKindNotInstalled}: {
		"Install the CustomResourceDefinition of that kind, serve it by a ResourceGroup, or bind the API of a Connection that exports it.",
		"kubectl get crds,connections",
	},
	{inspect.ClassGroup, v1alpha1.ReasonGroupUnavailable}: {
		"Mend the API server behind that group.", "kubectl get apiservices",
	},
	{inspect.ClassGroup, v1alpha1.ReasonBreakingChange}: {
		"Take the breaking change back, or serve the new schema as another kind. To break instances on purpose, set the annotation plait.run/allow-breaking-changes to the generation.",
		"plait diff -f GROUP.yaml",
	},
	{inspect.ClassGroup, v1alpha1.ReasonConflict}: {
		"A definition of that name is not of this ResourceGroup: give the kind another name or group, or remove the other definition.",
		"kubectl get crds --show-labels",
	},
	{inspect.ClassGroup, v1alpha1.ReasonEngineForbidden}: {
		"Apply the first document that the command below prints: it gives the engine the right.",
		"kubectl get {object} -o yaml | plait rbac -f -",
	},
	{inspect.ClassGroup, v1alpha1.ReasonDenied}: {
		"Name accounts that you may impersonate, or have somebody apply the document who may.",
		"kubectl auth can-i impersonate serviceaccounts -n {namespace}",
	},
	{inspect.ClassGroup, v1alpha1.ReasonTerminating}: {
		"Delete its instances; it goes when none is left.", "plait tree {object}",
	},

	{inspect.ClassInstance, v1alpha1.ReasonInvalidInput}: {
		"Correct that value in the spec of {owner-title}.", "kubectl edit {owner}",
	},
	{inspect.ClassInstance, v1alpha1.ReasonEvaluationFailed}: {
		"Correct the expression in ResourceGroup {group}, or the value that it cannot work with.",
		"plait render -f GROUP.yaml -f INSTANCE.yaml",
	},
	{inspect.ClassInstance, v1alpha1.ReasonAdmissionDenied}: {
		"A quota, policy or webhook says no: ask for less, have the quota raised, or do what the policy asks for.",
		"kubectl describe resourcequotas,limitranges -n {namespace}",
	},
	{inspect.ClassInstance, v1alpha1.ReasonObjectNotOwned}: {
		"An object of that name was there before: rename it in the template, delete the other one, or take it over with lifecycle.adoption: IfUnowned.",
		"kubectl get {object} -o yaml",
	},
	{inspect.ClassInstance, v1alpha1.ReasonNoServiceAccount}: {
		"Name an account for namespace {owner-namespace} in spec.defaultServiceAccounts of ResourceGroup {group}.",
		"kubectl get serviceaccounts -n {owner-namespace}",
	},
	{inspect.ClassInstance, v1alpha1.ReasonServiceAccountNotFound}: {
		"Create the account that the message names, and give it the rights that the command below prints as roles.",
		"kubectl get resourcegroup {group} -o yaml | plait rbac -f -",
	},
	{inspect.ClassInstance, v1alpha1.ReasonRevisionIncompatible}: {
		"Let the instance run on the served revision: remove the annotation plait.run/revision.",
		"kubectl annotate {owner} plait.run/revision-",
	},
	{inspect.ClassInstance, v1alpha1.ReasonInvalidObject}: {
		"The API server refuses the object: correct the field in ResourceGroup {group}, or the value that it comes from.",
		"plait render -f GROUP.yaml -f INSTANCE.yaml",
	},
	{inspect.ClassInstance, v1alpha1.ReasonApplyError}: {
		"Wait: it is tried again by itself. If it stays, look at the API server.", "kubectl get events -n {owner-namespace}",
	},
	{inspect.ClassInstance, v1alpha1.ReasonDeleting}: {"Wait for what is left to go.", "plait tree {owner}"},
	{inspect.ClassInstance, v1alpha1.ReasonDeletionStalled}: {
		"Have whoever put finalizers on what is left let go. To give up on it: annotate {owner-title} with plait.run/release=true, which leaves the rest behind.",
		"plait tree {owner}",
	},
	{inspect.ClassInstance, v1alpha1.ReasonDeletionForbidden}: {
		"Give service account {account-namespace}/{account} the right to delete what is left.",
		"kubectl auth can-i --list --as system:serviceaccount:{account-namespace}:{account} -n {namespace}",
	},
}
