package ready

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

// rules are the exceptions to kstatus: by kind, for objects that are not being deleted.
var rules = map[schema.GroupKind]func(obj map[string]any) (ready bool, why string){
	{Kind: "Pod"}:                                         pod,
	{Kind: "Service"}:                                     service,
	{Kind: "PersistentVolumeClaim"}:                       claim,
	{Kind: "Namespace"}:                                   namespace,
	{Kind: "ReplicationController"}:                       replicationController,
	{Group: "batch", Kind: "Job"}:                         job,
	{Group: "apiregistration.k8s.io", Kind: "APIService"}: apiService,
}

// job is ready when it is complete; kstatus is content with one that runs.
func job(obj map[string]any) (bool, string) {
	if conditionOf(obj, "Complete").isTrue() {
		return true, ""
	}
	if c := conditionOf(obj, "Failed"); c.isTrue() {
		return false, c.why("the job failed")
	}
	if conditionOf(obj, "Suspended").isTrue() {
		return false, "the job is suspended"
	}
	if status.GetStringField(obj, ".status.startTime", "") == "" {
		return false, "the job has not started yet"
	}
	wanted := status.GetIntField(obj, ".spec.completions", status.GetIntField(obj, ".spec.parallelism", 1))
	return false, fmt.Sprintf("%d of %s succeeded", status.GetIntField(obj, ".status.succeeded", 0), count(wanted, "pod"))
}

// service of type LoadBalancer is ready when somebody can reach it; any other one is when it exists.
func service(obj map[string]any) (bool, string) {
	if status.GetStringField(obj, ".spec.type", "") != "LoadBalancer" {
		return true, ""
	}
	entries, _, _ := unstructured.NestedFieldNoCopy(obj, "status", "loadBalancer", "ingress")
	items, _ := entries.([]any)
	for _, item := range items {
		fields, _ := item.(map[string]any)
		if fields["ip"] != nil || fields["hostname"] != nil {
			return true, ""
		}
	}
	return false, "its load balancer has no address yet"
}

func claim(obj map[string]any) (bool, string) {
	switch phase := status.GetStringField(obj, ".status.phase", ""); phase {
	case "Bound":
		return true, ""
	case "Lost":
		return false, "the claim lost its volume"
	default:
		return false, "the claim is not bound yet"
	}
}

func namespace(obj map[string]any) (bool, string) {
	if status.GetStringField(obj, ".status.phase", "") == "Active" {
		return true, ""
	}
	return false, "the namespace is not active yet"
}

func apiService(obj map[string]any) (bool, string) {
	c := conditionOf(obj, "Available")
	return c.isTrue(), choose(c.isTrue(), "", c.why("its API is not available yet"))
}

// replicationController has no rule in kstatus.
func replicationController(obj map[string]any) (bool, string) {
	why := replicaReason(obj)
	return why == "", why
}

func choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// count is a number with its noun: 1 pod, 3 pods.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
