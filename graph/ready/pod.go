package ready

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

// pod is ready when it serves, or has succeeded. kstatus takes a failed one as done, and looks at the clock for one that
// cannot be scheduled.
func pod(obj map[string]any) (bool, string) {
	switch status.GetStringField(obj, ".status.phase", "") {
	case "Succeeded":
		return true, ""
	case "Failed":
		message := status.GetStringField(obj, ".status.message", "")
		return false, condition{message: message, reason: status.GetStringField(obj, ".status.reason", "")}.why("the pod failed")
	case "Running":
		if conditionOf(obj, "Ready").isTrue() {
			return true, ""
		}
		return false, firstOf(waitingContainer(obj), "the pod runs and is not ready yet")
	case "Pending":
		c := conditionOf(obj, "PodScheduled")
		if c.status == "False" && c.reason == "Unschedulable" {
			return false, c.why("no node takes the pod")
		}
		return false, firstOf(waitingContainer(obj), "the pod is starting")
	default:
		return false, "the pod has not been looked at yet"
	}
}

// unremarkable are the reasons for which a container waits while all is well.
var unremarkable = map[any]bool{nil: true, "": true, "ContainerCreating": true, "PodInitializing": true}

// waitingContainer says which container does not start and why: CrashLoopBackOff, ImagePullBackOff, …
func waitingContainer(obj map[string]any) string {
	for _, list := range []string{"initContainerStatuses", "containerStatuses"} {
		all, _, _ := unstructured.NestedFieldNoCopy(obj, "status", list)
		items, _ := all.([]any)
		for _, item := range items {
			container, _ := item.(map[string]any)
			reason, _, _ := unstructured.NestedFieldNoCopy(container, "state", "waiting", "reason")
			if !unremarkable[reason] {
				return fmt.Sprintf("container %q does not start: %v", container["name"], reason)
			}
		}
	}
	return ""
}

func firstOf(a, b string) string { return choose(a != "", a, b) }
