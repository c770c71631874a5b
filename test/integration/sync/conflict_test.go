package sync_test

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

const marked = "labels: {plait.run/consumer-cluster-uid: beef}, annotations: {plait.run/consumer-cluster-uid: beef, plait.run/consumer-object-uid: x}"

// TestConflict leaves what others made, says so on the object and the binding, and takes over only what nobody owns.
func TestConflict(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	free := there.Apply(o.database("free", "{size: 9}"))
	taken := there.Apply("{" + o.gvk() + ", metadata: {name: taken, " + marked + "}, spec: {size: 9}}")
	bound := o.bind("")
	for _, name := range []string{"free", "taken"} {
		here.Apply(o.database(name, "{size: 1}"))
		u := here.WaitFor(o.name, name, synced("False/ObjectNotOwned"))
		if u.GetAnnotations()["plait.run/conflict"] == "" {
			t.Errorf("%s has no annotation about its conflict", name)
		}
	}
	bound.WaitCondition("ClusterBinding", o.connection(), "Conflicts", "True/Conflict")
	bound.WaitCondition("ClusterBinding", o.connection(), "Synced", "False/Conflict")
	bound.WaitFor("ClusterBinding", o.connection(), func(u *unstructured.Unstructured) error {
		if got := fieldOf(u, "status", "boundAPIs"); !strings.Contains(got, `"conflicts":2`) {
			return fmt.Errorf("the API is said to be %s", got)
		}
		return nil
	})
	waitEvent(t, here, "free", "ObjectNotOwned")

	// Adopting takes the free one only.
	bound.Patch("ClusterBinding", o.connection(), `{"spec":{"conflictPolicy":"Adopt"}}`)
	adopted := there.WaitFor(o.name, "free", specIs("size", int64(1)))
	if uidOf(adopted) != uidOf(free) || adopted.GetAnnotations()["plait.run/adopted"] != "true" {
		t.Errorf("it was not adopted: %v", adopted.Object["metadata"])
	}
	here.WaitFor(o.name, "free", metaIs("plait.run/conflict", ""))
	here.WaitFor(o.name, "free", synced("absent"))
	if u := must(there.Get(o.name, "taken")); u.GetResourceVersion() != taken.GetResourceVersion() {
		t.Error("another consumer's object was touched")
	}

	// What was adopted is let go, with its content; what is in conflict is not touched.
	for _, name := range []string{"free", "taken"} {
		here.Delete(o.name, name)
		here.WaitGone(o.name, name)
	}
	u := there.WaitFor(o.name, "free", metaIs("plait.run/consumer-cluster-uid", ""))
	if fmt.Sprint(u.GetManagedFields()) == "" || strings.Contains(fieldOf(u, "metadata"), "plait-sync") || fieldOf(u, "spec", "size") != "1" {
		t.Errorf("it was not let go as it was: %v", u.Object)
	}
	if u := must(there.Get(o.name, "taken")); u.GetResourceVersion() != taken.GetResourceVersion() {
		t.Error("another consumer's object was touched")
	}
}

// waitEvent wants an event of a reason on an object.
func waitEvent(t *testing.T, s *world.Space, name, reason string) {
	t.Helper()
	world.Eventually(t, "there is no event "+reason+" of "+name, func() error {
		list, err := s.At("events.events.k8s.io").List(t.Context(), listAll)
		if err != nil {
			return err
		}
		for _, e := range list.Items {
			if e.Object["reason"] == reason && strings.Contains(fieldOf(&e, "regarding"), `"name":"`+name+`"`) {
				return nil
			}
		}
		return fmt.Errorf("it is none of %d", len(list.Items))
	})
}

// TestMisfit tells the provider's words when its schema lacks a field that an object has: the API server answers that with
// 500, like a fault of its own. A field that it does declare goes up again.
func TestMisfit(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	bound := o.bind("")
	here.Apply(o.database("first", "{size: 1, text: a}"))
	there.WaitFor(o.name, "first", specIs("text", "a"))

	definitions := acme.Space(t, "default")
	path := "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/text"
	patch := func(body string) {
		_, err := definitions.At("customresourcedefinitions.apiextensions.k8s.io").
			Patch(t.Context(), o.name, types.JSONPatchType, []byte(body), metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	patch(`[{"op":"remove","path":"` + path + `"}]`)
	n := 0
	world.Eventually(t, "the field is still served", func() error {
		n++
		here.Patch(o.name, "first", fmt.Sprintf(`{"spec":{"text":"%d"}}`, n))
		u := must(here.Get(o.name, "first"))
		if got := world.Condition(u, "Synced"); !strings.Contains(got, "False/InvalidObject") || !strings.Contains(got, ".spec.text: field not declared in schema") {
			return fmt.Errorf("Synced is %s", got)
		}
		return nil
	})
	waitEvent(t, here, "first", "InvalidObject")
	bound.WaitCondition("ClusterBinding", o.connection(), "Synced", "False/ObjectsRefused")

	patch(`[{"op":"add","path":"` + path + `","value":{"type":"string"}}]`)
	here.WaitFor(o.name, "first", synced("absent"))
	there.WaitFor(o.name, "first", specIs("text", fmt.Sprint(n)))
}

// TestRefused tells the provider's words for what it refuses, and goes on once it does not.
func TestRefused(t *testing.T) {
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	bound := o.bind("")
	here.Apply(o.database("large", "{size: 1000}"))
	here.WaitFor(o.name, "large", synced("False/InvalidObject: the provider refuses it: "))
	waitEvent(t, here, "large", "InvalidObject")
	bound.WaitCondition("ClusterBinding", o.connection(), "Synced", "False/ObjectsRefused")

	there.Apply("{apiVersion: v1, kind: ResourceQuota, metadata: {name: few}, spec: {hard: {count/" + o.name + ": '0'}}}")
	if err := setStatus(there.At("resourcequotas"), "few", `{"hard":{"count/`+o.name+`":"0"},"used":{"count/`+o.name+`":"0"}}`); err != nil {
		t.Fatal(err)
	}
	here.Apply(o.database("second", "{size: 1}"))
	here.WaitFor(o.name, "second", synced("False/AdmissionDenied: the provider refuses it: "))
	there.Remove("resourcequotas", "few")
	here.WaitFor(o.name, "second", synced("absent"))

	there.Apply(`{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: ` + o.connection() + `},
  spec: {matchConstraints: {resourceRules: [{apiGroups: ["` + strings.TrimPrefix(o.name, "databases.") + `"], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [databases]}]},
    validations: [{expression: "object.spec.size != 7", message: "seven is unlucky"}]}}
---
{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: ` + o.connection() + `}, spec: {policyName: ` + o.connection() + `, validationActions: [Deny]}}`)
	world.Eventually(t, "the policy is not in force", func() error {
		here.Patch(o.name, "second", `{"spec":{"size":7}}`)
		u := must(here.Get(o.name, "second"))
		if got := world.Condition(u, "Synced"); !strings.Contains(got, "seven is unlucky") {
			here.Patch(o.name, "second", `{"spec":{"size":1}}`)
			return fmt.Errorf("Synced is %s", got)
		}
		return nil
	})
	here.Patch(o.name, "second", `{"spec":{"size":2}}`)
	there.WaitFor(o.name, "second", specIs("size", int64(2)))
	here.WaitFor(o.name, "second", synced("absent"))
	here.Patch(o.name, "large", `{"spec":{"size":3}}`)
	there.WaitFor(o.name, "large", specIs("size", int64(3)))
	bound.WaitCondition("ClusterBinding", o.connection(), "Synced", "True")
}
