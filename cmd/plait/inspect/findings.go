package inspect

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Limits of findings.
const (
	maxPods     = 50
	maxFindings = 5
)

// workloads are the kinds whose trouble shows at their pods.
var workloads = []string{"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"}

// findings adds what conditions, pods and events say of an object that is not ready. Instances have their nodes for that.
func (g *gatherer) findings(it *Item, u *unstructured.Unstructured) {
	if !g.options.Findings || it.Class != ClassObject || it.Relation == Mount {
		return
	}
	it.Findings = append(it.Findings, badConditions(it)...)
	if slices.Contains(workloads, it.Kind) {
		it.Findings = append(it.Findings, g.podFindings(u)...)
	}
	it.Findings = append(it.Findings, g.warnings(it)...)
	if len(it.Findings) > maxFindings {
		it.Findings = it.Findings[:maxFindings]
	}
}

// troubles are types of conditions that are bad when they are True.
var troubles = []string{"ReplicaFailure", "Failed", "Stalled", "FailureTarget"}

// badConditions finds conditions that say what is wrong; those that follow from others say less and come last.
func badConditions(it *Item) []Finding {
	var first, last []Finding
	for _, c := range it.Conditions {
		finding := Finding{Subject: it.Title(), Reason: c.Reason, Message: c.Message}
		switch isTrouble := slices.Contains(troubles, c.Type); {
		case c.Message == "" || isTrouble != (c.Status == "True") || !isTrouble && c.Status != "False":
		case isTrouble:
			first = append(first, finding)
		default:
			last = append(last, finding)
		}
	}
	return append(first, last...)
}

// podFindings finds pods that cannot be placed, and containers that do not start.
func (g *gatherer) podFindings(u *unstructured.Unstructured) []Finding {
	match, _ := at(u.Object, "spec", "selector", "matchLabels").(map[string]any)
	kind, ok := g.kinds.Of(schema.GroupVersionKind{Version: "v1", Kind: "Pod"})
	if !ok || len(match) == 0 {
		return nil
	}
	selector := labels.Set{}
	for key, value := range match {
		selector[key], _ = value.(string)
	}
	pods, err := g.reader.List(g.ctx, kind, u.GetNamespace(), metav1.ListOptions{LabelSelector: selector.String(), Limit: maxPods})
	if err != nil {
		return []Finding{{Subject: "Pods", Reason: "Unreadable", Message: noteOf("pods", err)}}
	}
	var out []Finding
	for i := range pods {
		for _, finding := range podTrouble(&pods[i]) {
			isKnown := slices.ContainsFunc(out, func(f Finding) bool { return f.Reason == finding.Reason })
			if !isKnown { // the pods of one workload have the same trouble
				out = append(out, finding)
			}
		}
	}
	return out
}

func podTrouble(pod *unstructured.Unstructured) []Finding {
	subject := "Pod " + pod.GetName()
	var out []Finding
	for _, c := range conditionsOf(pod.Object) {
		if c.Type == "PodScheduled" && c.Status == "False" {
			out = append(out, Finding{Subject: subject, Reason: c.Reason, Message: c.Message})
		}
	}
	for _, list := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, container := range entriesAt(pod.Object, "status", list) {
			reason := textAt(container, "state", "waiting", "reason")
			if reason == "" || reason == "ContainerCreating" || reason == "PodInitializing" {
				continue
			}
			message := fmt.Sprintf("container %s: %s", textAt(container, "name"), textAt(container, "state", "waiting", "message"))
			out = append(out, Finding{Subject: subject, Reason: reason, Message: message})
		}
	}
	return out
}

// warnings gives the newest warning events of an object, one for each reason.
func (g *gatherer) warnings(it *Item) []Finding {
	var out []Finding
	for _, e := range g.events(it.uid, it.Namespace) {
		isKnown := slices.ContainsFunc(out, func(f Finding) bool { return f.Reason == e.Reason })
		if e.Type == "Warning" && !isKnown {
			out = append(out, Finding{Subject: it.Title(), Reason: e.Reason, Message: e.Message})
		}
	}
	return out
}

func (g *gatherer) events(uid, namespace string) []Event {
	kind, ok := g.kinds.Of(schema.GroupVersionKind{Version: "v1", Kind: "Event"})
	if !ok || uid == "" {
		return nil
	}
	found, err := g.reader.List(g.ctx, kind, namespace, metav1.ListOptions{FieldSelector: "involvedObject.uid=" + uid})
	if err != nil {
		return nil // no more than a help
	}
	return newEvents(found)
}
