package sync_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/test/world"
)

// offer is an API of one test: a Database in a group of its own, exported by acme and installed here.
type offer struct {
	t    *testing.T
	name string // resource.group
}

const schemaOf = `{type: object, properties: {
  spec: {type: object, properties: {size: {type: integer%s}, text: {type: string}, tags: {type: object, additionalProperties: {type: string}}}},
  status: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {observedGeneration: {type: integer, format: int64}, phase: {type: string},
    conditions: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}}`

func definition(group, labels, bounds string) string {
	return fmt.Sprintf(`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
  metadata: {name: databases.%[1]s, labels: {%[2]s}, annotations: {plait.run/schema-hash: "1-abc"}},
  spec: {group: %[1]s, names: {plural: databases, singular: database, kind: Database}, scope: Namespaced,
    versions: [{name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: %[3]s}}]}}`,
		group, labels, fmt.Sprintf(schemaOf, bounds))
}

// newOffer defines the API on both sides and a Connection of the same name that exports it. The provider takes sizes to 100.
func newOffer(t *testing.T) *offer {
	t.Helper()
	short := strings.ToLower(strings.TrimPrefix(t.Name(), "Test"))
	o := &offer{t: t, name: "databases." + short + ".example.com"}
	group := strings.TrimPrefix(o.name, "databases.")
	here := consumer.Space(t, "default")
	here.Apply(definition(group, "plait.run/managed: 'true', plait.run/connection: "+o.connection(), ""))
	define(t, acme, o)
	o.connect(o.connection(), "Installed")
	return o
}

// define has a provider export the API.
func define(t *testing.T, provider *world.World, o *offer) {
	t.Helper()
	provider.Space(t, "default").Apply(definition(strings.TrimPrefix(o.name, "databases."), "plait.run/exported: 'true'", ", maximum: 100"))
}

func (o *offer) connection() string { return strings.Split(o.name, ".")[1] }
func (o *offer) gvk() string {
	return "apiVersion: " + strings.TrimPrefix(o.name, "databases.") + "/v1, kind: Database"
}

// connect makes a Connection that is ready and has the API in a state.
func (o *offer) connect(name, state string) {
	o.t.Helper()
	s := consumer.Space(o.t, "default")
	s.Apply("{apiVersion: plait.run/v1alpha1, kind: Connection, metadata: {name: " + name +
		"}, spec: {kubeconfigSecretRef: {namespace: plait-system, name: x}, allowedNamespaces: {matchLabels: {may: bind}}}}")
	exported := fmt.Sprintf(`[{"name":%q,"group":%q,"resource":"databases","kind":"Database","scope":"Namespaced","versions":["v1"],"state":%q}]`,
		o.name, strings.TrimPrefix(o.name, "databases."), state)
	body := `{"status":{"exportedAPIs":` + exported + `,"conditions":[{"type":"Ready","status":"True","reason":"AsExpected","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}`
	_, err := s.At("connections.plait.run").Patch(context.Background(), name, types.MergePatchType, []byte(body), metav1.PatchOptions{}, "status")
	if err != nil {
		o.t.Fatal(err)
	}
}

// ask makes a ClusterBinding of the offer's name with more in its spec.
func (o *offer) ask(more string) *world.Space {
	o.t.Helper()
	s := consumer.Space(o.t, "default")
	s.Apply(o.binding(more))
	return s
}

// bind is ask, and waits until the binding is ready.
func (o *offer) bind(more string) *world.Space {
	o.t.Helper()
	s := o.ask(more)
	s.WaitReady("ClusterBinding", o.connection(), "True")
	return s
}

func (o *offer) binding(more string) string {
	return fmt.Sprintf("{apiVersion: plait.run/v1alpha1, kind: ClusterBinding, metadata: {name: %[1]s}, spec: {connectionRef: {name: %[1]s}, apis: [{name: %[2]s}]%[3]s}}",
		o.connection(), o.name, more)
}

// space gives a namespace of the test's own here, and the same one at the provider.
func (o *offer) space(suffix string) (here, there *world.Space) {
	o.t.Helper()
	name := o.connection() + suffix
	return consumer.Space(o.t, name), acme.Space(o.t, name)
}

func (o *offer) database(name, spec string) string {
	return "{" + o.gvk() + ", metadata: {name: " + name + "}, spec: " + spec + "}"
}

// specIs wants a value in a field of spec.
func specIs(field string, want any) world.Check {
	return func(u *unstructured.Unstructured) error {
		got, _, _ := unstructured.NestedFieldNoCopy(u.Object, "spec", field)
		if got != want {
			return fmt.Errorf("spec.%s is %v, want %v", field, got, want)
		}
		return nil
	}
}

// phaseIs wants a phase in the status, of whatever generation.
func phaseIs(want string) world.Check {
	return func(u *unstructured.Unstructured) error {
		if got := fieldOf(u, "status", "phase"); got != strconv.Quote(want) {
			return fmt.Errorf("the phase is %s, want %q", got, want)
		}
		return nil
	}
}

// metaIs wants an annotation or label; empty: none.
func metaIs(key, want string) world.Check {
	return func(u *unstructured.Unstructured) error {
		if got := u.GetAnnotations()[key] + u.GetLabels()[key]; got != want {
			return fmt.Errorf("%s is %q, want %q", key, got, want)
		}
		return nil
	}
}

// report is what the provider's operator does: it writes a status.
func report(t *testing.T, there *world.Space, kind, name, status string) {
	t.Helper()
	if err := setStatus(there.At(kind), name, status); err != nil {
		t.Fatal(err)
	}
}

func setStatus(at dynamic.ResourceInterface, name, status string) error {
	_, err := at.Patch(context.Background(), name, types.MergePatchType, []byte(`{"status":`+status+`}`), metav1.PatchOptions{FieldManager: "operator"}, "status")
	return err
}

func uidOf(u *unstructured.Unstructured) types.UID { return u.GetUID() }

func fieldOf(u *unstructured.Unstructured, path ...string) string {
	value, _, _ := unstructured.NestedFieldNoCopy(u.Object, path...)
	data, _ := json.Marshal(value)
	return string(data)
}

// synced wants the condition Synced to begin so; `absent` for none.
func synced(want string) world.Check {
	return func(u *unstructured.Unstructured) error {
		if got := world.Condition(u, "Synced"); !strings.HasPrefix(got, want) {
			return fmt.Errorf("Synced is %s, want %s", got, want)
		}
		return nil
	}
}
