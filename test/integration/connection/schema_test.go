package connection

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

func TestDefinitionsArePulledAndKept(t *testing.T) {
	s := newSuite(t, "pulled")
	s.export(east, definition{Kind: "Database", More: "\n  conversion: {strategy: None}"})
	s.export(east, definition{Kind: "Hooked", Versions: twoVersions("integer"), More: webhook})
	s.export(east, definition{Kind: "Twin", Versions: twoVersions("string")})
	s.define(consumer, definition{Kind: "Foreign"}, "")
	s.export(east, definition{Kind: "Foreign"})
	s.define(east, definition{Kind: "Private"}, "")
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases", "twins")
	s.connect("schema: {pullPolicy: All}")
	s.waitAPI("databases", "Installed/")
	s.waitAPI("twins", "Installed/")
	s.waitAPI("hookeds", "Unsupported/ConversionNeeded")
	u := s.waitAPI("foreigns", "Conflict/NotOurs")
	if got := api(u, "privates."+s.group); got != "absent" {
		t.Errorf("an API that is not exported is %s", got)
	}
	s.waitReady("True/AsExpected")
	u = s.WaitCondition("Connection", s.name, "SchemaInSync", "False/Conflict")
	if got := world.Condition(u, "SchemaInSync"); !strings.Contains(got, "hookeds."+s.group) || !strings.Contains(got, "foreigns."+s.group) {
		t.Errorf("SchemaInSync is %s, want both APIs named", got)
	}
	checkMarks(t, s)
	t.Run("edited", func(t *testing.T) { repaired(t, s) })
	t.Run("freed", func(t *testing.T) {
		remove(t, consumer, "foreigns."+s.group)
		s.forgetInstalled("foreigns")
		s.waitAPI("foreigns", "Installed/")
	})
	t.Run("changed", func(t *testing.T) { followed(t, s) })
	t.Run("withdrawn", func(t *testing.T) {
		for _, name := range []string{"databases", "twins", "hookeds", "foreigns"} {
			patch(t, east, definitions, name+"."+s.group, `{"metadata":{"labels":{"plait.run/exported":null}}}`)
		}
		s.waitAPI("databases", "Withdrawn/")
		s.waitAPI("twins", "Withdrawn/")
		s.waitAPI("hookeds", "absent")
		s.waitReady("True/AsExpected")
		if s.installed("databases") == nil || s.installed("twins") == nil {
			t.Error("what was withdrawn is gone here")
		}
	})
}

const webhook = `
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://localhost:1/convert"}}`

// twoVersions are a version v1 that is stored, and v1beta1 whose field size has this type.
func twoVersions(size string) string {
	version := func(name, stored, size string) string {
		return fmt.Sprintf(`
  - name: %s
    served: true
    storage: %s
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: %s}}}}}}`, name, stored, size)
	}
	return version("v1", "true", "string") + version("v1beta1", "false", size)
}

// checkMarks wants our marks on what was installed, and nothing of the provider's metadata.
func checkMarks(t *testing.T, s *suite) {
	t.Helper()
	u := s.installed("databases")
	labels, annotations := u.GetLabels(), u.GetAnnotations()
	if labels["plait.run/managed"] != "true" || labels["plait.run/connection"] != s.name || labels["plait.run/exported"] != "" {
		t.Errorf("labels %v", labels)
	}
	if annotations["plait.run/schema-hash"] == "" || annotations["example.com/note"] != "" {
		t.Errorf("annotations %v", annotations)
	}
}

// repaired edits an installed definition, and takes its label away.
func repaired(t *testing.T, s *suite) {
	name := "databases." + s.group
	patch(t, consumer, definitions, name, `{"metadata":{"labels":{"plait.run/connection":null}},"spec":{"names":{"shortNames":["edited"]}}}`)
	world.Eventually(t, "the edit stays", func() error {
		u := s.installed("databases")
		if short := field(t, u, "spec", "names", "shortNames"); short != nil || u.GetLabels()["plait.run/connection"] != s.name {
			return fmt.Errorf("short names %v, labels %v", short, u.GetLabels())
		}
		return nil
	})
}

// followed changes a definition at the provider: first harmlessly, then so that objects may break.
func followed(t *testing.T, s *suite) {
	change := func(size string) {
		t.Helper()
		if _, err := east.Apply(context.Background(), "", definition{
			Kind: "Database", Group: s.group, Versions: strings.Replace(simpleVersions, "maxLength: 20", size, 1),
		}.yaml(exported)); err != nil {
			t.Fatal(err)
		}
	}
	sizeOf := func(u *unstructured.Unstructured) any {
		versions, _ := field(t, u, "spec", "versions").([]any)
		first, _ := versions[0].(map[string]any)
		limit, _, _ := unstructured.NestedFieldNoCopy(first, "schema", "openAPIV3Schema", "properties", "spec", "properties", "size", "maxLength")
		return limit
	}
	change("maxLength: 30")
	world.Eventually(t, "the change does not arrive", func() error {
		if got := sizeOf(s.installed("databases")); got != int64(30) {
			return fmt.Errorf("maxLength is %v", got)
		}
		return nil
	})
	change("maxLength: 5")
	u := s.waitAPI("databases", "Conflict/BreakingChange")
	if got := api(u, "databases."+s.group); !strings.Contains(got, "spec.size: maxLength is now 5") {
		t.Errorf("it says %s, want the change", got)
	}
	if got := sizeOf(s.installed("databases")); got != int64(30) {
		t.Errorf("maxLength is %v by now, want the old 30", got)
	}
	s.waitReady("True/AsExpected")
	remove(t, consumer, "databases."+s.group) // what the message says
	s.waitAPI("databases", "Installed/")
	if got := sizeOf(s.installed("databases")); got != int64(5) {
		t.Errorf("maxLength is %v in the definition that was installed anew, want 5", got)
	}
	change("maxLength: 40")
	s.waitAPI("databases", "Installed/")
}

func TestUpdatePolicyOnceKeepsWhatWasInstalledFirst(t *testing.T) {
	s := newSuite(t, "once")
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases")
	s.connect("schema: {pullPolicy: All, updatePolicy: Once}")
	s.waitAPI("databases", "Installed/:")
	repaired(t, s) // the provider has the same schema still
	s.waitAPI("databases", "Installed/:")
	before := s.installed("databases").GetGeneration()
	s.define(east, definition{Kind: "Database", Versions: strings.Replace(simpleVersions, "maxLength: 20", "maxLength: 30", 1)}, exported)
	s.waitAPI("databases", "Installed/Outdated")
	if after := s.installed("databases").GetGeneration(); after != before {
		t.Errorf("the definition was written: generation %d, was %d", after, before)
	}
	// An edit of what is kept is not put back: the schema that it had is not known any more.
	patch(t, consumer, definitions, "databases."+s.group, `{"spec":{"names":{"shortNames":["edited"]}}}`)
	s.waitAPI("databases", "Installed/Edited")
	s.define(east, definition{Kind: "Database", Versions: strings.Replace(simpleVersions, "maxLength: 20", "maxLength: 40", 1)}, exported)
	if err := world.Wait(t.Context(), 2*resync); err != nil {
		t.Fatal(err)
	}
	if u := s.waitAPI("databases", "Installed/Edited"); field(t, s.installed("databases"), "spec", "names", "shortNames") == nil {
		t.Errorf("the edit was put back: %v", u)
	}
}

func TestTwoProvidersOfOneAPI(t *testing.T) {
	s := newSuite(t, "contested")
	other := newSuite(t, "contender")
	other.group = s.group
	s.export(east, definition{Kind: "Database"})
	s.export(west, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	other.secret(kubeconfig(t, west, tenant))
	s.forgetInstalled("databases")
	s.connect("schema: {pullPolicy: All}")
	s.waitAPI("databases", "Installed/")
	other.connect("schema: {pullPolicy: All}")
	u := other.waitAPI("databases", "Conflict/NotOurs")
	if got := api(u, "databases."+s.group); !strings.Contains(got, `Connection "contested"`) {
		t.Errorf("it says %s, want the other Connection named", got)
	}
	if got := s.installed("databases").GetLabels()["plait.run/connection"]; got != s.name {
		t.Errorf("the definition is of %q by now", got)
	}
	if err := (world.HasCondition("Ready", "True"))(u); err != nil {
		t.Error(err)
	}
}

func TestDiscoveryThatIsDenied(t *testing.T) {
	s := newSuite(t, "denied")
	const reader = "reader-of-namespaces"
	role := func(rules string) {
		t.Helper()
		if _, err := east.Apply(context.Background(), "", `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: `+reader+`}
rules:
- {apiGroups: [""], resources: [namespaces], verbs: [get]}
`+rules+`
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: `+reader+`}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: `+reader+`}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: `+reader+`}]`); err != nil {
			t.Fatal(err)
		}
	}
	role("")
	s.secret(kubeconfig(t, east, reader))
	s.connect("")
	u := s.waitReady("False/Forbidden")
	for kind, want := range map[string]string{
		"Connected": "True/AsExpected", "PermissionDenied": "True/Forbidden: the provider does not allow to list customresourcedefinitions",
	} {
		if got := world.Condition(u, kind); !strings.HasPrefix(got, want) {
			t.Errorf("%s is %s, want %s", kind, got, want)
		}
	}
	role("- {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], verbs: [get, list]}")
	u = s.waitReady("True/AsExpected")
	if got := world.Condition(u, "PermissionDenied"); !strings.HasPrefix(got, "False/") {
		t.Errorf("PermissionDenied is still %s", got)
	}
}
