package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/test/world"
)

var (
	workspaces = plaitResource("workspaces")
	sites      = schema.GroupVersionResource{Group: "faults.example.com", Version: "v1", Resource: "sites"}
)

const siteDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: sites.faults.example.com}
spec:
  group: faults.example.com
  scope: Namespaced
  names: {kind: Site, plural: sites}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]`

// mounts is a Workspace of each copy on an object of its own: up by two writes, of which the URL is the first.
func mounts() workload {
	const workspace = `{apiVersion: plait.run/v1alpha1, kind: Workspace, metadata: {name: '*'},
  spec: {mount: {ref: {apiVersion: faults.example.com/v1, kind: Site, name: '*', namespace: '*'}}}}`
	site := func(phase, url string) string {
		return fmt.Sprintf("{apiVersion: faults.example.com/v1, kind: Site, metadata: {name: '*'}, status: {phase: %s, URL: %q}}", phase, url)
	}
	const here, there = "https://here.example.com", "https://there.example.com"
	return workload{
		name: "mount", resource: sites, namespaced: true,
		prepare: func(ctx context.Context, w *rig) error { return w.apply(ctx, "", siteDefinition) },
		stages: []stage{
			{name: "mount", document: site("Ready", here) + "\n---\n" + workspace, goals: []goal{mounted("True/MountReady", here)}},
			{name: "down", document: site("Broken", here), goals: []goal{mounted("False/MountObjectNotReady", here)}},
			{name: "up elsewhere", document: site("Ready", there), goals: []goal{mounted("True/MountReady", there)}},
			{name: "delete", goals: []goal{mounted("False/MountObjectNotFound", there)}},
		},
	}
}

// mounted is a Workspace that says this, with a phase that goes with it, and this URL.
func mounted(condition, url string) goal {
	phase := "Unavailable"
	if condition == "True/MountReady" {
		phase = "Ready"
	}
	return goal{workspaces, func(u *unstructured.Unstructured) bool {
		gotURL, _, _ := unstructured.NestedString(u.Object, "spec", "URL")
		gotPhase, _, _ := unstructured.NestedString(u.Object, "status", "phase")
		return gotURL == url && gotPhase == phase && len(world.Condition(u, "WorkspaceMountReady")) > len(condition) &&
			world.Condition(u, "WorkspaceMountReady")[:len(condition)] == condition
	}}
}
