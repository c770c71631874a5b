package compile

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

func TestLifecycle(t *testing.T) {
	const deployment = "template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, spec: {selector: {}, template: {}}}"
	const external = "externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"
	for _, c := range []struct{ name, body, lifecycle, want string }{
		{"fields", deployment, `{ignoreFields: [spec.replicas, 'metadata.annotations["a.b"]', "spec.template.spec.containers[0].image"]}`, ""},
		{"empty", external, "{}", ""},
		{"of an external", external, "{deletion: Orphan}", "lifecycle: a lifecycle is about"},
		{"of a def", "def: {a: b}", "{adoption: Never}", "lifecycle: a lifecycle is about"},
		{"contradiction", deployment, "{deletion: Orphan, recreate: OnImmutable}", "lifecycle.recreate: recreate: OnImmutable deletes"},
		{"unknown field", deployment, "{ignoreFields: [spec.replica]}", `lifecycle.ignoreFields[0]: Deployment has no field spec.replica: "replica" is not known`},
		{"no list", deployment, `{ignoreFields: ["spec[0]"]}`, "lifecycle.ignoreFields[0]: Deployment has no field spec[0]: there is no list at [0]"},
		{"no path", deployment, `{ignoreFields: [".spec"]}`, `lifecycle.ignoreFields[0]: ".spec" is no path`},
		{"nothing", deployment, `{ignoreFields: [""]}`, `lifecycle.ignoreFields[0]: "" is no path`},
		{"identity", deployment, `{ignoreFields: [metadata.name]}`, `lifecycle.ignoreFields[0]: metadata.name makes the object`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := fmt.Sprintf(`{apiVersion: plait.run/v1alpha1, kind: ResourceGroup, metadata: {name: x}, spec: {schema: {apiVersion: v1, kind: X},
resources: [{id: a, %s, lifecycle: %s}]}}`, c.body, c.lifecycle)
			docs, problems := source.Parse("x.yaml", []byte(text))
			if len(docs) != 1 {
				t.Fatal(problems.Sorted())
			}
			group, faults := source.MapGroup(docs[0])
			problems.Append(faults)
			_, faults, err := Compile(context.Background(), group, schema.Embedded())
			if err != nil {
				t.Fatal(err)
			}
			problems.Append(faults)
			got := ""
			for _, d := range problems.Sorted() {
				got += strings.TrimPrefix(d.Path, "spec.resources[0].") + ": " + d.Summary
			}
			if diff := cmp.Diff(c.want, got[:min(len(c.want), len(got))]); diff != "" || c.want == "" && got != "" {
				t.Errorf("%s\ngot %s", diff, got)
			}
		})
	}
}
