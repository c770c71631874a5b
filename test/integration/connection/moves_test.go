package connection

import (
	"context"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/test/world"
)

// TestStorageVersionMovesOn has a provider go from v1 to v2: both are served here, v2 is stored, and v1 stays, unserved,
// while objects may be stored in it, when the provider drops it.
func TestStorageVersionMovesOn(t *testing.T) {
	t.Parallel()
	s := newSuite(t, "moves")
	version := func(name string, stored bool) string {
		return fmt.Sprintf(`
  - {name: %s, served: true, storage: %t, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: string}}}}}}}`, name, stored)
	}
	s.export(east, definition{Kind: "Database", Versions: version("v1", true)})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases")
	s.connect("schema: {pullPolicy: All}")
	s.waitAPI("databases", "Installed/")
	here := consumer.Space(t, "moves")
	here.Apply(s.database("a", "1"))

	for _, step := range []struct{ versions, want string }{
		{version("v2", true) + version("v1", false), "v2 served stored, v1 served"},
		{version("v2", true), "v2 served stored, v1"},
	} {
		name := "databases." + s.group
		if step.want == "v2 served stored, v1" { // the provider has migrated its own objects
			if err := setStored(t, name, "v2"); err != nil {
				t.Fatal(err)
			}
		}
		s.define(east, definition{Kind: "Database", Versions: step.versions}, exported)
		world.Eventually(t, "the versions do not follow", func() error {
			if got := versionsOf(t, s.installed("databases")); got != step.want {
				return fmt.Errorf("they are %q, want %q", got, step.want)
			}
			return nil
		})
		s.waitAPI("databases", "Installed/")
		moved := consumer.Client.Resource(schema.GroupVersionResource{Group: s.group, Version: "v2", Resource: "databases"}).Namespace("moves")
		world.Eventually(t, "what is stored in v1 cannot be read as v2", func() error {
			u, err := moved.Get(context.Background(), "a", metav1.GetOptions{})
			if err != nil {
				return err
			}
			return hasSize("1")(u)
		})
	}
}

// setStored says of a provider's definition that its objects are stored in just one version.
func setStored(t *testing.T, name, version string) error {
	t.Helper()
	at, err := east.At(definitions, "")
	if err != nil {
		return err
	}
	return patchStatus(t, at, name, fmt.Sprintf(`{"status":{"storedVersions":[%q]}}`, version))
}

// versionsOf gives `v2 served stored, v1`.
func versionsOf(t *testing.T, u *unstructured.Unstructured) string {
	t.Helper()
	versions, _ := field(t, u, "spec", "versions").([]any)
	var out []string
	for _, v := range versions {
		version, _ := v.(map[string]any)
		text := fmt.Sprint(version["name"])
		if version["served"] == true {
			text += " served"
		}
		if version["storage"] == true {
			text += " stored"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// TestGroupsFollowSchemas changes the schema of an imported kind under two groups: one that waits for a field gets it, and
// one that it breaks says so and goes on with what it had.
func TestGroupsFollowSchemas(t *testing.T) {
	t.Parallel()
	s := newSuite(t, "follows")
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases")
	s.connect("schema: {pullPolicy: All}")
	s.waitAPI("databases", "Installed/")
	s.serve("followshop")
	s.WaitReady("ResourceGroup", "followshop", "True/")
	s.Apply(fmt.Sprintf(`
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: followhost}
spec:
  schema: {apiVersion: v1, kind: Followhost, group: apps.%[1]s, spec: {size: string}, status: {host: "${db.status.host}"}}
  resources:
  - id: db
    template: {apiVersion: %[1]s/v1, kind: Database, metadata: {name: "${schema.metadata.name}-host"}, spec: {size: "${schema.spec.size}"}}
`, s.group))
	t.Cleanup(func() { s.Remove("ResourceGroup", "followhost") })
	s.WaitCondition("ResourceGroup", "followhost", "GraphAccepted", "False/")

	change := func(status string) {
		t.Helper()
		s.define(east, definition{Kind: "Database", Versions: strings.Replace(simpleVersions, "endpoint: {type: string}", status, 1)}, exported)
	}
	change("endpoint: {type: string}, host: {type: string}")
	s.WaitCondition("ResourceGroup", "followhost", "GraphAccepted", "True/")
	s.WaitReady("ResourceGroup", "followshop", "True/")
	change("endpoint: {type: integer}, host: {type: string}")
	u := s.WaitCondition("ResourceGroup", "followshop", "GraphAccepted", "False/")
	if got := world.Condition(u, "GraphAccepted"); !strings.Contains(got, "readyWhen") {
		t.Errorf("GraphAccepted is %s, want it to name what breaks", got)
	}
	here := consumer.Space(t, "follows")
	here.Apply(fmt.Sprintf("{apiVersion: apps.%s/v1, kind: Followshop, metadata: {name: a}, spec: {size: '7'}}", s.group))
	here.WaitFor("databases."+s.group, "a", hasSize("7")) // by the last good graph
	here.Remove("followshops.apps."+s.group, "a")
	change("endpoint: {type: string}, host: {type: string}")
	s.WaitCondition("ResourceGroup", "followshop", "GraphAccepted", "True/")
}
