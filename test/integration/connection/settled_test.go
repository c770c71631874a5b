package connection

import (
	"fmt"
	"slices"
	"testing"

	"github.com/plait-run/plait/test/world"
)

// A settled Connection costs the provider one small round each time it is asked, and this cluster nothing at all.
func TestSettledConnectionCostsOneRound(t *testing.T) {
	const rounds = 4
	s := newSuite(t, "settled")
	s.export(west, definition{Kind: "Database"})
	s.secret(kubeconfig(t, west, tenant))
	s.forgetInstalled("databases")
	s.connect("schema: {pullPolicy: All}")
	s.waitAPI("databases", "Installed/")
	s.WaitFor("Connection", s.name, world.HasCondition("Ready", "True"))
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
