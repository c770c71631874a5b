package connection

import (
	"fmt"
	"testing"

	"github.com/plait-run/plait/test/world"
)

func TestAutoBind(t *testing.T) {
	s := newSuite(t, "auto")
	s.Apply(`
apiVersion: plait.run/v1alpha1
kind: ClusterBinding
metadata: {name: auto}
spec: {connectionRef: {name: somebody-elses}}`)
	t.Cleanup(func() { s.Remove("ClusterBinding", "auto") })
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases")
	s.connect("schema: {pullPolicy: Bound}, autoBind: true")
	s.waitAPI("databases", "Installed/")
	managed := func() []string {
		var out []string
		for _, name := range s.Names("ClusterBinding", "auto") {
			if name != "auto" {
				out = append(out, name)
			}
		}
		return out
	}
	if got := managed(); len(got) != 1 {
		t.Fatalf("managed bindings %v, want one", got)
	}
	first := managed()[0]
	s.Patch("Connection", s.name, `{"spec":{"autoBind":false}}`)
	s.WaitGone("ClusterBinding", first)
	if s.installed("databases") == nil {
		t.Error("the definition went with the binding")
	}
	s.Patch("Connection", s.name, `{"spec":{"autoBind":true}}`)
	world.Eventually(t, "there is no managed binding again", func() error {
		if got := managed(); len(got) != 1 {
			return fmt.Errorf("there are %v", got)
		}
		return nil
	})
	second := managed()[0]
	patch(t, east, definitions, "databases."+s.group, `{"metadata":{"labels":{"plait.run/exported":null}}}`)
	s.WaitGone("ClusterBinding", second)
	s.waitAPI("databases", "Withdrawn/")
	if _, err := s.Get("ClusterBinding", "auto"); err != nil {
		t.Errorf("the user's own binding: %v", err)
	}
}

// TestAutoBindFindsNoName has somebody else take both names that the managed ClusterBinding could have.
func TestAutoBindFindsNoName(t *testing.T) {
	t.Parallel()
	s := newSuite(t, "nameless")
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases")
	s.connect("schema: {pullPolicy: All}")
	longer := fmt.Sprintf("nameless-%.8s", s.waitReady("True/AsExpected").GetUID())
	for _, name := range []string{"nameless", longer} {
		s.Apply("{apiVersion: plait.run/v1alpha1, kind: ClusterBinding, metadata: {name: " + name + "}, spec: {connectionRef: {name: somebody-elses}}}")
	}
	t.Cleanup(func() { s.Remove("ClusterBinding", "nameless") })
	s.Patch("Connection", s.name, `{"spec":{"autoBind":true}}`)
	s.waitReady("False/Conflict: the managed ClusterBinding finds no name: nameless and " + longer + " are somebody else's")
	s.Remove("ClusterBinding", longer)
	s.waitReady("True/AsExpected")
	s.WaitCondition("ClusterBinding", longer, "Ready", "")
	if got := s.Names("ClusterBinding", "nameless"); len(got) != 2 {
		t.Errorf("there are the bindings %v, want the foreign one and the managed one", got)
	}
}
