package instance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/identity"
)

// asSelf is an engine that needs no service accounts.
var asSelf = identity.Settings{AllowActingAsSelf: true}

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

func resourceOf(kind string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "test.example.com", Version: "v1", Resource: strings.ToLower(kind) + "s"}
}

func instanceOf(kind, name, spec string) string {
	return fmt.Sprintf("{apiVersion: test.example.com/v1, kind: %s, metadata: {name: %s}, spec: {%s}}", kind, name, spec)
}

func TestBudgets(t *testing.T) {
	for kind, needs := range map[string]bool{"Wide": false, "Chain": true} {
		t.Run(kind, func(t *testing.T) {
			w := newWorldIn(t, strings.ToLower("budgets-"+kind))
			startEngine(t, asSelf)
			gvr := resourceOf(kind)
			w.apply(groups, "", groupOf(kind, 10, needs))
			w.waitStatus(groups, "", strings.ToLower(kind), "state", "Active")
			w.apply(gvr, w.namespace, instanceOf(kind, "warm", ""))
			w.waitStatus(gvr, w.namespace, "warm", "state", "ACTIVE")

			requests := newLedger(t)
			w.apply(gvr, w.namespace, instanceOf(kind, "a", ""))
			w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
			spend(t, requests, "bringing up", 13)
			w.apply(gvr, w.namespace, instanceOf(kind, "a", "text: new"))
			u := w.waitStatus(gvr, w.namespace, "a", "text", "new")
			spend(t, requests, "a change of all", 12)
			if state := condition(u, "Ready"); !strings.HasPrefix(state, "True/Available") {
				t.Errorf("Ready is %s", state)
			}
			w.apply(gvr, w.namespace, instanceOf(kind, "a", "text: new, last: other"))
			w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
			spend(t, requests, "a change of one", 2)
			w.delete(gvr, w.namespace, "a")
			w.waitGone(gvr, w.namespace, "a")
			spend(t, requests, "deleting", 12)
			if left := w.names("a-"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			w.delete(gvr, w.namespace, "warm")
			w.delete(groups, "", strings.ToLower(kind))
			w.waitGone(groups, "", strings.ToLower(kind))
			w.waitGone(crds, "", gvr.GroupResource().String())
		})
	}
}

func spend(t *testing.T, requests *ledger, what string, budget int) {
	t.Helper()
	if got := requests.take(); len(got) > budget {
		t.Errorf("%s took %d requests, at most %d are allowed:\n%s", what, len(got), budget, strings.Join(got, "\n"))
	}
}

func TestDriftIsRepairedWithOneWrite(t *testing.T) {
	w := newWorld(t)
	startEngine(t, asSelf)
	gvr := resourceOf("Drift")
	w.apply(groups, "", groupOf("Drift", 2, false))
	w.apply(gvr, w.namespace, instanceOf("Drift", "a", ""))
	w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
	requests := newLedger(t)
	edit := []byte(`{"data":{"text":"edited","added":"by somebody"}}`)
	if _, err := w.at(configMaps, w.namespace).Patch(context.Background(), "a-0", types.MergePatchType, edit, metav1.PatchOptions{FieldManager: "kubectl-edit"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the drift stays", func() error {
		u, err := w.get(configMaps, w.namespace, "a-0")
		if err != nil {
			return err
		}
		want := map[string]any{"text": "hello", "last": "fixed", "added": "by somebody"}
		if diff := cmp.Diff(want, u.Object["data"]); diff != "" {
			return fmt.Errorf("data (-want +got):\n%s", diff)
		}
		return nil
	})
	if diff := cmp.Diff([]string{"patch configmaps a-0"}, requests.take()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestRestartWritesNothing(t *testing.T) {
	w := newWorld(t)
	stop := startEngine(t, asSelf)
	gvr := resourceOf("Restart")
	w.apply(groups, "", groupOf("Restart", 3, true))
	w.apply(gvr, w.namespace, instanceOf("Restart", "a", ""))
	w.waitStatus(gvr, w.namespace, "a", "state", "ACTIVE")
	stop()
	edit := []byte(`{"data":{"text":"edited"}}`)
	if _, err := w.at(configMaps, w.namespace).Patch(context.Background(), "a-1", types.MergePatchType, edit, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	requests := newLedger(t)
	startEngine(t, asSelf)
	eventually(t, "the drift stays", func() error {
		u, err := w.get(configMaps, w.namespace, "a-1")
		if err != nil {
			return err
		}
		if text := u.Object["data"].(map[string]any)["text"]; text != "hello" {
			return fmt.Errorf("text is %v", text)
		}
		return nil
	})
	var writes []string
	for _, r := range requests.take() {
		counts := strings.HasPrefix(r, "patch resourcegroups ") // status.instances, every ten seconds
		if !counts && !strings.HasPrefix(r, "get ") && !strings.HasPrefix(r, "list ") {
			writes = append(writes, r)
		}
	}
	if diff := cmp.Diff([]string{"patch configmaps a-1"}, writes); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}
