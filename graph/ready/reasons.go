package ready

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

// reasons put into words why kstatus does not take an object of a kind as done; empty when they find nothing.
var reasons = map[schema.GroupKind]func(obj map[string]any) string{
	{Group: "apps", Kind: "Deployment"}:                               deploymentReason,
	{Group: "apps", Kind: "StatefulSet"}:                              replicaReason,
	{Group: "apps", Kind: "ReplicaSet"}:                               replicaReason,
	{Group: "apps", Kind: "DaemonSet"}:                                daemonSetReason,
	{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}: definitionReason,
}

func deploymentReason(obj map[string]any) string {
	if c := conditionOf(obj, "Progressing"); c.reason == "ProgressDeadlineExceeded" {
		return c.why("the rollout took longer than its deadline")
	}
	return replicaReason(obj)
}

// replicaReason compares the replicas that there are with those wanted, from the earliest stage to the last.
func replicaReason(obj map[string]any) string {
	if c := conditionOf(obj, "ReplicaFailure"); c.isTrue() {
		return c.why("replicas cannot be created")
	}
	wanted := status.GetIntField(obj, ".spec.replicas", 1)
	there := status.GetIntField(obj, ".status.replicas", 0)
	stages := []struct{ field, word string }{
		{".status.replicas", "created"},
		{".status.updatedReplicas", "updated"},
		{".status.readyReplicas", "ready"},
		{".status.availableReplicas", "available"},
	}
	for _, stage := range stages {
		got := status.GetIntField(obj, stage.field, 0)
		if stage.word == "updated" && !isUpdated(obj) {
			continue
		}
		if got < wanted {
			return fmt.Sprintf("%d of %s %s %s", got, count(wanted, "replica"), choose(wanted == 1, "is", "are"), stage.word)
		}
	}
	if there > wanted {
		return fmt.Sprintf("%s still to go", count(there-wanted, "old replica"))
	}
	return ""
}

// isUpdated tells whether a kind replaces its replicas one by one, and says so in its status.
func isUpdated(obj map[string]any) bool {
	return obj["kind"] == "Deployment" || obj["kind"] == "StatefulSet"
}

func daemonSetReason(obj map[string]any) string {
	wanted := status.GetIntField(obj, ".status.desiredNumberScheduled", -1)
	if wanted < 0 {
		return "it has not been scheduled yet"
	}
	stages := []struct{ field, word string }{
		{".status.currentNumberScheduled", "scheduled"},
		{".status.updatedNumberScheduled", "updated"},
		{".status.numberReady", "ready"},
		{".status.numberAvailable", "available"},
	}
	for _, stage := range stages {
		if got := status.GetIntField(obj, stage.field, 0); got < wanted {
			return fmt.Sprintf("%d of %s %s %s", got, count(wanted, "pod"), choose(wanted == 1, "is", "are"), stage.word)
		}
	}
	return ""
}

func definitionReason(obj map[string]any) string {
	if c := conditionOf(obj, "NamesAccepted"); c.status == "False" {
		return c.why("its names are not accepted")
	}
	return conditionOf(obj, "Established").why("its API is not served yet")
}
