package connection

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

// A settled Connection with bound objects costs the provider one small round each time it is asked, and this cluster nothing
// at all.
func TestSettledConnectionCostsOneRound(t *testing.T) {
	const rounds, objects = 4, 50
	s := newSuite(t, "settled")
	s.export(west, definition{Kind: "Database"})
	s.secret(newGate(t, west).kubeconfig(t))
	s.forgetInstalled("databases")
	s.connect("schema: {pullPolicy: All}, autoBind: true")
	s.WaitReady("ClusterBinding", s.name, "True/AsExpected")
	bound := consumer.Space(t, "settled")
	for i := range objects {
		bound.Apply(s.database(fmt.Sprintf("d-%02d", i), "1"))
	}
	s.WaitFor("ClusterBinding", s.name, func(u *unstructured.Unstructured) error {
		apis, _, _ := unstructured.NestedSlice(u.Object, "status", "boundAPIs")
		if len(apis) != 1 || apis[0].(map[string]any)["objects"] != int64(objects) {
			return fmt.Errorf("the APIs are %v", apis)
		}
		return world.HasCondition("Synced", "True")(u)
	})
	if err := world.Wait(t.Context(), 2*resync); err != nil { // the first renewal of the Lease gets into the status
		t.Fatal(err)
	}
	here := consumer.NewLedger(t)
	_, begin, err := west.AuditEvents(0)
	if err != nil {
		t.Fatal(err)
	}
	if err := world.Wait(t.Context(), rounds*resync); err != nil {
		t.Fatal(err)
	}
	events, _, err := west.AuditEvents(begin)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]int{}
	for _, e := range events {
		if e.UserAgent == "plait" && e.ObjectRef != nil && e.ObjectRef.Resource != "leases" {
			by[fmt.Sprintf("%s %s %s", e.Verb, e.ObjectRef.Resource, e.ObjectRef.Name)]++
		}
	}
	t.Logf("in %d rounds the provider was asked %v", rounds, by)
	var asked []string
	for what, count := range by {
		asked = append(asked, what)
		if most := 2 * (rounds + 1); count > most { // two labels are asked for
			t.Errorf("%d times %s, want at most %d", count, what, most)
		}
	}
	slices.Sort(asked)
	if want := []string{"get namespaces kube-system", "list customresourcedefinitions "}; !slices.Equal(asked, want) {
		t.Errorf("the provider was asked to %q, want just %q", asked, want)
	}
	if got := here.Take(); len(got) > 0 {
		t.Errorf("the consumer's API server was asked to %q", got)
	}
}
