package connection

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

// sizeLimit gives what the schema of a definition's first version says of the length of sizes.
func sizeLimit(t *testing.T, u *unstructured.Unstructured) any {
	t.Helper()
	return field(t, &unstructured.Unstructured{Object: schemaOf(t, u)}, "properties", "spec", "properties", "size", "maxLength")
}

// TestOnceGoesOn has a provider change the schema of a bound API that is kept as it was: each side has its own, objects go on by
// the one here, what only the other one knows is left out, and all comes to rest.
func TestOnceGoesOn(t *testing.T) {
	t.Parallel()
	s := newSuite(t, "oncebound")
	databases := "databases." + s.group
	s.export(east, definition{Kind: "Database"})
	s.secret(newGate(t, east).kubeconfig(t))
	s.forgetInstalled("databases")
	s.connect("schema: {updatePolicy: Once}")
	s.bind("")
	here, there := consumer.Space(t, "oncebound"), east.Space(t, "oncebound")
	here.Apply(s.database("a", "1"))
	there.WaitFor(databases, "a", hasSize("1"))
	before := s.installed("databases").GetGeneration()

	wider := strings.NewReplacer("maxLength: 20", "maxLength: 30", "endpoint: {type: string}", "endpoint: {type: string}, zone: {type: string}").Replace(simpleVersions)
	s.define(east, definition{Kind: "Database", Versions: wider}, exported)
	s.waitAPI("databases", "Installed/Outdated")
	if err := world.Wait(t.Context(), 2*resync); err != nil { // it stays so
		t.Fatal(err)
	}
	ours, theirs := s.installed("databases"), must(east.Get(t.Context(), definitions, "", databases))
	if got := fmt.Sprint(sizeLimit(t, ours), sizeLimit(t, theirs)); got != "20 30" || ours.GetGeneration() != before {
		t.Errorf("sizes here and there may have %s characters, want 20 30; generation %d, was %d", got, ours.GetGeneration(), before)
	}
	long := strings.Repeat("x", 25)
	if _, err := consumer.Apply(t.Context(), here.Namespace, s.database("long", long)); err == nil {
		t.Error("a size is taken here that only the provider takes")
	}
	here.Apply(s.database("a", "2"))
	there.WaitFor(databases, "a", hasSize("2"))
	if err := patchStatus(t, there.At(databases), "a", `{"status":{"endpoint":"there","zone":"z"}}`); err != nil {
		t.Fatal(err)
	}
	u := here.WaitFor(databases, "a", func(u *unstructured.Unstructured) error {
		if got := field(t, u, "status", "endpoint"); got != "there" {
			return fmt.Errorf("the endpoint is %v", got)
		}
		return nil
	})
	if err := world.Wait(t.Context(), resync+time.Second); err != nil {
		t.Fatal(err)
	}
	if now := must(here.Get(databases, "a")); now.GetResourceVersion() != u.GetResourceVersion() {
		t.Error("the status that does not fit here is written again and again")
	}
	here.Remove(databases, "a")
}

// TestWithdrawnWhileClosed has an engine end after it has closed a definition to take it away, and the provider withdraw the API
// before the next one looks: the definition is opened again, and its objects are there.
func TestWithdrawnWhileClosed(t *testing.T) {
	t.Parallel()
	s := newSuite(t, "closedaway")
	databases := "databases." + s.group
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases")
	s.connect("schema: {pullPolicy: All}")
	s.waitAPI("databases", "Installed/")
	here := consumer.Space(t, "closedaway")
	here.Apply(s.database("a", "1"))

	s.Patch("Connection", s.name, `{"metadata":{"annotations":{"plait.run/reconcile":"suspended"}}}`)
	s.waitReady("False/Suspended")
	versions := field(t, s.installed("databases"), "spec", "versions").([]any)
	versions[0].(map[string]any)["served"] = false
	body, err := json.Marshal(map[string]any{"spec": map[string]any{"versions": append(versions, map[string]any{
		"name": "v0closed", "served": true, "storage": false,
		"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
	})}})
	if err != nil {
		t.Fatal(err)
	}
	patch(t, consumer, definitions, databases, string(body))
	patch(t, east, definitions, databases, `{"metadata":{"labels":{"plait.run/exported":null}}}`)
	s.Patch("Connection", s.name, `{"metadata":{"annotations":{"plait.run/reconcile":null}}}`)

	s.waitAPI("databases", "Withdrawn/")
	world.Eventually(t, "the definition is not opened again", func() error {
		if got := versionsOf(t, s.installed("databases")); got != "v1 served stored" {
			return fmt.Errorf("its versions are %s", got)
		}
		return nil
	})
	here.WaitFor(databases, "a", hasSize("1"))
}
