package sync_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestRelated carries Secrets and ConfigMaps both ways, where there are bound objects, and none but those that may travel.
func TestRelated(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	first := run(t, w)
	here, there := o.space("")
	empty, _ := o.space("-empty")
	bound := o.bind(`, deletionPolicy: Delete, relatedResources: [
  {resource: secrets, direction: FromProvider, selector: {names: [login, token, taken]}},
  {resource: configmaps, direction: FromConsumer, selector: {labelSelector: {matchLabels: {goes: up}}}}]`)
	const secret = "{apiVersion: v1, kind: Secret, metadata: {name: %s}, type: %s, stringData: {password: %s}}"
	there.Apply(fmt.Sprintf(secret, "login", "Opaque", "one"))
	there.Apply(fmt.Sprintf(secret, "token", "example.com/token", "one"))
	there.Apply(fmt.Sprintf(secret, "taken", "Opaque", "one"))
	here.Apply(fmt.Sprintf(secret, "taken", "Opaque", "mine"))
	const settings = "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, labels: {goes: up}}, data: {k: v}}"
	here.Apply(settings)
	empty.Apply(settings)

	here.Apply(o.database("a", "{size: 1}"))
	here.WaitFor("secrets", "login", dataIs("password", "b25l"))
	there.WaitFor("configmaps", "settings", dataIs("k", "v"))
	there.Patch("secrets", "login", `{"stringData":{"password":"two"}}`)
	here.WaitFor("secrets", "login", dataIs("password", "dHdv"))
	here.Patch("secrets", "login", `{"stringData":{"password":"three"}}`)
	here.WaitFor("secrets", "login", dataIs("password", "dHdv"))
	bound.WaitCondition("ClusterBinding", o.connection(), "Conflicts", "True/Conflict")
	if err := dataIs("password", "bWluZQ==")(must(here.Get("secrets", "taken"))); err != nil {
		t.Error("somebody's Secret was overwritten:", err)
	}
	if got := here.Names("secrets", "token"); len(got) > 0 {
		t.Errorf("a Secret of a type that may not travel did: %v", got)
	}
	if got := acme.Space(t, empty.Namespace).Names("configmaps", "settings"); len(got) > 0 {
		t.Errorf("something travelled where there is no bound object: %v", got)
	}

	there.Remove("secrets", "login")
	here.WaitGone("secrets", "login")
	here.Remove("configmaps", "settings")
	there.WaitGone("configmaps", "settings")
	here.Apply(settings)
	there.WaitFor("configmaps", "settings", dataIs("k", "v"))
	// One entry is taken out while the binding stays and nobody looks: its copies go, those of the other stay.
	there.Apply(fmt.Sprintf(secret, "login", "Opaque", "four"))
	here.WaitFor("secrets", "login", dataIs("password", "Zm91cg=="))
	first.stop()
	bound.Patch("ClusterBinding", o.connection(), `{"spec":{"relatedResources":[
		{"resource":"configmaps","direction":"FromConsumer","selector":{"labelSelector":{"matchLabels":{"goes":"up"}}}}]}}`)
	run(t, w)
	here.WaitGone("secrets", "login")
	bound.WaitFor("ClusterBinding", o.connection(), func(u *unstructured.Unstructured) error {
		if got := fieldOf(u, "status", "relatedResources"); got != `["configmaps FromConsumer"]` {
			return fmt.Errorf("related resources are %s", got)
		}
		return nil
	})
	for name, err := range map[string]error{
		"the source":        dataIs("password", "Zm91cg==")(must(there.Get("secrets", "login"))),
		"somebody's Secret": dataIs("password", "bWluZQ==")(must(here.Get("secrets", "taken"))),
		"the other entry's": dataIs("k", "v")(must(there.Get("configmaps", "settings"))),
	} {
		if err != nil {
			t.Errorf("%s went with the entry: %v", name, err)
		}
	}
	bound.Remove("ClusterBinding", o.connection())
	there.WaitGone("configmaps", "settings")
	if err := dataIs("k", "v")(must(here.Get("configmaps", "settings"))); err != nil {
		t.Error("the source went with its copy:", err)
	}
}

// TestRelatedLeave deletes a binding with several related resources: each is let go in its own time, and none is begun anew.
func TestRelatedLeave(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	bound := o.bind(`, deletionPolicy: Delete, relatedResources: [
  {resource: secrets, direction: FromProvider, selector: {names: [login]}},
  {resource: secrets, direction: FromConsumer, selector: {names: [own]}},
  {resource: configmaps, direction: FromConsumer, selector: {names: [settings]}}]`)
	there.Apply("{apiVersion: v1, kind: Secret, metadata: {name: login}, stringData: {password: one}}")
	here.Apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {k: v}}")
	here.Apply(o.database("a", "{size: 1}"))
	here.WaitFor("secrets", "login", dataIs("password", "b25l"))
	there.WaitFor("configmaps", "settings", dataIs("k", "v"))

	bound.Remove("ClusterBinding", o.connection())
	here.WaitGone("secrets", "login")
	there.WaitGone("configmaps", "settings")
	there.WaitGone(o.name, "a")
}

func dataIs(key, want string) func(*unstructured.Unstructured) error {
	return func(u *unstructured.Unstructured) error {
		if got := fieldOf(u, "data", key); got != fmt.Sprintf("%q", want) {
			return fmt.Errorf("data.%s is %s, want %q", key, got, want)
		}
		return nil
	}
}
