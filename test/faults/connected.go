package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

const connectionSecret = "{apiVersion: v1, kind: Secret, metadata: {name: '*', namespace: plait-system}, stringData: {kubeconfig: " + kubeconfigMark + "}}\n---\n"

// ownConnection is a Connection of each copy's own, to an API that the provider has for it alone.
func ownConnection(policies string) string {
	return "{apiVersion: plait.run/v1alpha1, kind: Connection, metadata: {name: '*'}, " +
		"spec: {kubeconfigSecretRef: {namespace: plait-system, name: '*'}, schema: {include: ['*.example.com']" + policies + "}"
}

func isInstalled(u *unstructured.Unstructured) bool { return hasAPI(u, "Installed") }

func isNotInstalled(u *unstructured.Unstructured) bool { return hasAPI(u, "Available") }

func hasAPI(u *unstructured.Unstructured, state string) bool {
	apis, _, _ := unstructured.NestedSlice(u.Object, "status", "exportedAPIs")
	return world.IsReady(u) && len(apis) == 1 && apis[0].(map[string]any)["state"] == state
}

var (
	ownAPI    = fmt.Sprintf(exportedStore, "*.example.com")
	installed = goal{connectionKind, isInstalled}
	autoBound = goal{clusterBindings, isSynced}
	gone      = []goal{{connectionKind, nil}, {clusterBindings, nil}}
)

// connections is a Connection whose policies change.
func connections() workload {
	return workload{
		name: "connection", resource: connectionKind, pause: reportTime, there: ownAPI,
		stages: []stage{
			{name: "connect", document: connectionSecret + ownConnection("") + ", autoBind: true}}", goals: []goal{installed, autoBound}},
			{name: "unbind", document: ownConnection("") + ", autoBind: false}}", goals: []goal{{clusterBindings, nil}, installed}},
			{name: "pull all", document: ownConnection(", pullPolicy: All") + ", autoBind: true}}", goals: []goal{installed, autoBound}},
			{name: "delete", goals: gone},
		},
	}
}

// referenced is a group that has the API installed and bound which it refers to. The Connection goes first: when an API leaves
// after its last group is a matter of the clock, and of restarts.
func referenced() workload {
	group := groupOf("*", "K*", `
  - id: store
    template: {apiVersion: '*.example.com/v1', kind: Store, metadata: {name: "${schema.metadata.name}"}, spec: {text: "${schema.spec.text}"}}
`+configMap("a", "${store.spec.text}", ""))
	return workload{
		name: "referenced", resource: connectionKind, pause: reportTime, there: ownAPI,
		stages: []stage{
			{name: "connect", document: connectionSecret + ownConnection(", pullPolicy: Referenced") + ", autoBind: true}}",
				goals: []goal{{connectionKind, isNotInstalled}}},
			{name: "refer", document: group, goals: []goal{{groups, world.IsReady}, installed, autoBound}},
			{name: "delete", goals: append([]goal{{groups, world.IsReady}}, gone...)},
			{name: "leave", resource: groups, goals: []goal{{groups, nil}}},
		},
	}
}

// removed is a Connection that goes while its managed binding holds an object.
func removed() workload {
	return workload{
		name: "removed", resource: connectionKind, pause: reportTime, there: ownAPI,
		stages: []stage{
			{name: "connect", document: connectionSecret + ownConnection("") + ", autoBind: true}}", goals: []goal{installed, autoBound}},
			{name: "create", document: "{apiVersion: '*.example.com/v1', kind: Store, metadata: {name: '*'}, spec: {text: first}}",
				goals: []goal{{clusterBindings, hasObject}}},
			{name: "delete", goals: gone},
		},
	}
}

func hasObject(u *unstructured.Unstructured) bool {
	apis, _, _ := unstructured.NestedSlice(u.Object, "status", "boundAPIs")
	return isSynced(u) && len(apis) == 1 && apis[0].(map[string]any)["objects"] == int64(1)
}
