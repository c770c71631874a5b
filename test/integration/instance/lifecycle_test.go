package instance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/test/world"
)

// groupOf is a ResourceGroup of ConfigMaps; with needs, each reads the one before.
func groupOf(kind string, nodes int, needs bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: %s}
spec:
  crdDeletion: Delete
  schema: {apiVersion: v1, kind: %s, group: test.example.com, spec: {text: string | default="hello", last: string | default="x"}, status: {text: "${n0.data.text}"}}
  resources:
`, strings.ToLower(kind), kind)
	for i := range nodes {
		text := "${schema.spec.text}"
		if needs && i > 0 {
			text = fmt.Sprintf("${n%d.data.text}", i-1)
		}
		last := "fixed"
		if i == nodes-1 {
			last = "${schema.spec.last}"
		}
		fmt.Fprintf(&b, `  - id: n%d
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}-%d"}, data: {text: "%s", last: "%s"}}
`, i, i, text, last)
	}
	return b.String()
}

// definitionOf is the name of the definition of such a kind.
func definitionOf(kind string) string { return strings.ToLower(kind) + "s.test.example.com" }

func instanceOf(kind, name, spec string) string {
	return fmt.Sprintf("{apiVersion: test.example.com/v1, kind: %s, metadata: {name: %s}, spec: {%s}}", kind, name, spec)
}

func TestBudgets(t *testing.T) {
	for kind, needs := range map[string]bool{"Wide": false, "Chain": true} {
		t.Run(kind, func(t *testing.T) {
			w := newWorldIn(t, strings.ToLower("budgets-"+kind))
			shared.RunEngine(t)
			w.Apply(groupOf(kind, 10, needs))
			w.WaitStatus("ResourceGroup", strings.ToLower(kind), "state", "Active")
			w.Apply(instanceOf(kind, "warm", ""))
			w.WaitStatus(kind, "warm", "state", "ACTIVE")

			requests := shared.NewLedger(t)
			w.Apply(instanceOf(kind, "a", ""))
			w.WaitStatus(kind, "a", "state", "ACTIVE")
			spend(t, requests, "bringing up", 13)
			w.Apply(instanceOf(kind, "a", "text: new"))
			u := w.WaitStatus(kind, "a", "text", "new")
			spend(t, requests, "a change of all", 12)
			if state := world.Condition(u, "Ready"); !strings.HasPrefix(state, "True/Available") {
				t.Errorf("Ready is %s", state)
			}
			w.Apply(instanceOf(kind, "a", "text: new, last: other"))
			w.WaitStatus(kind, "a", "state", "ACTIVE")
			spend(t, requests, "a change of one", 2)
			w.Delete(kind, "a")
			w.WaitGone(kind, "a")
			spend(t, requests, "deleting", 12)
			if left := w.Names("ConfigMap", "a-"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			w.Delete(kind, "warm")
			w.Delete("ResourceGroup", strings.ToLower(kind))
			w.WaitGone("ResourceGroup", strings.ToLower(kind))
			w.WaitGone("CustomResourceDefinition", definitionOf(kind))
		})
	}
}

func spend(t *testing.T, requests *world.Ledger, what string, budget int) {
	t.Helper()
	if got := requests.Take(); len(got) > budget {
		t.Errorf("%s took %d requests, at most %d are allowed:\n%s", what, len(got), budget, strings.Join(got, "\n"))
	}
}

func TestDriftIsRepairedWithOneWrite(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	const kind = "Drift"
	w.Apply(groupOf("Drift", 2, false))
	w.Apply(instanceOf("Drift", "a", ""))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	requests := shared.NewLedger(t)
	edit := []byte(`{"data":{"text":"edited","added":"by somebody"}}`)
	if _, err := w.At("ConfigMap").Patch(context.Background(), "a-0", types.MergePatchType, edit, metav1.PatchOptions{FieldManager: "kubectl-edit"}); err != nil {
		t.Fatal(err)
	}
	world.Eventually(t, "the drift stays", func() error {
		u, err := w.Get("ConfigMap", "a-0")
		if err != nil {
			return err
		}
		want := map[string]any{"text": "hello", "last": "fixed", "added": "by somebody"}
		if diff := cmp.Diff(want, u.Object["data"]); diff != "" {
			return fmt.Errorf("data (-want +got):\n%s", diff)
		}
		return nil
	})
	if diff := cmp.Diff([]string{"patch configmaps a-0"}, requests.Take()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestRestartWritesNothing(t *testing.T) {
	w := newWorld(t)
	running := shared.RunEngine(t)
	const kind = "Restart"
	w.Apply(groupOf("Restart", 3, true))
	w.Apply(instanceOf("Restart", "a", ""))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	running.MustStop(t)
	edit := []byte(`{"data":{"text":"edited"}}`)
	if _, err := w.At("ConfigMap").Patch(context.Background(), "a-1", types.MergePatchType, edit, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	requests := shared.NewLedger(t)
	shared.RunEngine(t, func(o *engine.Options) { o.InstallCRDs = false })
	world.Eventually(t, "the drift stays", func() error {
		u, err := w.Get("ConfigMap", "a-1")
		if err != nil {
			return err
		}
		if text := u.Object["data"].(map[string]any)["text"]; text != "hello" {
			return fmt.Errorf("text is %v", text)
		}
		return nil
	})
	var writes []string
	for _, r := range requests.Take() {
		counts := strings.HasPrefix(r, "patch resourcegroups ") // status.instances, every ten seconds
		reads := strings.HasPrefix(r, "get ") || strings.HasPrefix(r, "list ") || strings.Contains(r, "subjectaccessreviews")
		if !counts && !reads {
			writes = append(writes, r)
		}
	}
	if diff := cmp.Diff([]string{"patch configmaps a-1"}, writes); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}
