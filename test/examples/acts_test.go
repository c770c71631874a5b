package examples

import (
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// scaleStore does what the autoscaler does; Plait must leave it alone.
func scaleStore(p person) {
	p.merge("apps/v1 Deployment store", `{"spec":{"replicas":4}}`, "scale")
}

// renewToken changes the original of a copy.
func renewToken(p person) {
	p.merge("v1 Secret platform-secrets/registry", `{"data":{"token":"bmV3"}}`)
}

// moveLabels gives the label to one namespace and takes it from another.
func moveLabels(p person) {
	p.merge("v1 Namespace fanout-alone", `{"metadata":{"labels":{"shared-config":"everybody"}}}`)
	p.merge("v1 Namespace fanout-south", `{"metadata":{"labels":{"shared-config":null}}}`)
}

const hardened = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: kitchen}
spec: {template: {spec: {containers: [{securityContext: {runAsNonRoot: true}}]}}}`

// rollOut does what the README of the canary tells: one instance gets the next version, then the other.
func rollOut(p person) {
	const garden, kitchen = "apps.plait.run/v1alpha1 Site garden", "apps.plait.run/v1alpha1 Site kitchen"
	p.merge(kitchen, `{"metadata":{"annotations":{"plait.run/revision":"1"}}}`)
	p.apply(p.read("canary", "next/group.yaml"))
	p.holds(`
{apiVersion: plait.run/v1alpha1, kind: ResourceGroup, metadata: {name: sites.apps.plait.run}, status: {servedRevision: 2}}
---
{apiVersion: apps.plait.run/v1alpha1, kind: Site, metadata: {name: garden}, status: {state: ACTIVE, revision: 2}}
---
{apiVersion: apps.plait.run/v1alpha1, kind: Site, metadata: {name: kitchen}, status: {state: ACTIVE, revision: 1}}`)
	p.waitFor(named(p.t, "apps/v1 Deployment kitchen"), func(live *unstructured.Unstructured) error {
		if lacks(live.Object, parsed(p.t, hardened)) == nil {
			return errors.New("the pinned site has got the next version")
		}
		return nil
	})
	p.merge(kitchen, `{"metadata":{"annotations":{"plait.run/revision":null}}}`)
}
