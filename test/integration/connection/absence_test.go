package connection

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

// bind makes a ClusterBinding of the suite's databases, with more in its spec, and waits until it works.
func (s *suite) bind(more string) {
	s.t.Helper()
	s.Apply(fmt.Sprintf("{apiVersion: plait.run/v1alpha1, kind: ClusterBinding, metadata: {name: %s}, spec: {connectionRef: {name: %s}, apis: [{name: databases.%s}]%s}}",
		s.name, s.name, s.group, prefixed(more)))
	s.t.Cleanup(func() {
		if _, err := s.Get("ClusterBinding", s.name); err == nil {
			s.Remove("ClusterBinding", s.name)
		}
	})
	s.WaitReady("ClusterBinding", s.name, "True/AsExpected")
}

func (s *suite) database(name, size string) string {
	return fmt.Sprintf("{apiVersion: %s/v1, kind: Database, metadata: {name: %s}, spec: {size: %q}}", s.group, name, size)
}

func hasSize(want string) world.Check {
	return func(u *unstructured.Unstructured) error {
		if got, _, _ := unstructured.NestedString(u.Object, "spec", "size"); got != want {
			return fmt.Errorf("the size is %q, want %q", got, want)
		}
		return nil
	}
}

// behindGate connects a provider through a gate and binds its databases.
func behindGate(t *testing.T, name, bindingSpec string) (s *suite, g *gate, here, there *world.Space) {
	t.Helper()
	s, g = newSuite(t, name), newGate(t, east)
	s.export(east, definition{Kind: "Database"})
	s.forgetInstalled("databases")
	s.secret(g.kubeconfig(t))
	s.connect("schema: {}")
	s.bind(bindingSpec)
	return s, g, consumer.Space(t, name), east.Space(t, name)
}

// TestProviderComesAndGoes has one Connection through all that a provider can do: refuse a watch, be away, say nothing.
func TestProviderComesAndGoes(t *testing.T) {
	t.Parallel()
	s, g, here, there := behindGate(t, "comesandgoes", "")
	databases := "databases." + s.group
	for _, name := range []string{"a", "b"} {
		here.Apply(s.database(name, "1"))
		there.WaitFor(databases, name, hasSize("1"))
	}
	uid := must(there.Get(databases, "a")).GetUID()

	t.Run("a watch is forbidden, and allowed again", func(t *testing.T) {
		g.set(where("/apis/"+s.group+"/v1/databases?", answering(http.StatusForbidden, forbidden)))
		s.WaitCondition("ClusterBinding", s.name, "PermissionDenied", "True/Forbidden")
		s.WaitReady("ClusterBinding", s.name, "False/Forbidden")
		s.waitReady("True/AsExpected") // the Connection itself may do what it needs
		here.Apply(s.database("a", "2"))
		g.set(nil)
		there.WaitFor(databases, "a", hasSize("2"))
		s.WaitCondition("ClusterBinding", s.name, "PermissionDenied", "False/")
		s.WaitReady("ClusterBinding", s.name, "True/AsExpected")
	})
	t.Run("away, and back", func(t *testing.T) {
		g.set(down)
		s.waitReady("False/Unreachable")
		s.WaitReady("ClusterBinding", s.name, "False/ConnectionNotReady")
		here.Apply(s.database("a", "3"))
		here.Delete(databases, "b")
		here.Apply(s.database("c", "1"))
		if u := s.installed("databases"); u == nil || u.GetDeletionTimestamp() != nil {
			t.Error("the definition goes with the provider")
		}
		if must(here.Get(databases, "b")).GetDeletionTimestamp() == nil {
			t.Error("the deletion is not kept until the provider is back")
		}
		g.set(nil)
		s.waitReady("True/AsExpected")
		there.WaitFor(databases, "a", hasSize("3"))
		there.WaitFor(databases, "c", hasSize("1"))
		there.WaitGone(databases, "b")
		here.WaitGone(databases, "b")
		if must(there.Get(databases, "a")).GetUID() != uid {
			t.Error("the copy was made anew")
		}
		s.WaitReady("ClusterBinding", s.name, "True/AsExpected")
	})
	t.Run("silent", func(t *testing.T) {
		g.set(silence)
		began := time.Now()
		s.waitReady("False/Unreachable")
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("that it says nothing is seen after %v, want what one call may take, 10 s, and a moment", took.Round(time.Second))
		}
		g.set(nil)
		s.waitReady("True/AsExpected")
	})
	for _, name := range []string{"a", "c"} {
		here.Remove(databases, name)
	}
}

// TestLeaseOutlivesDiscovery has discovery hang while the heartbeat gets through.
func TestLeaseOutlivesDiscovery(t *testing.T) {
	t.Parallel()
	s, g := newSuite(t, "hangs"), newGate(t, west)
	s.secret(g.kubeconfig(t))
	s.connect("schema: {}")
	s.waitReady("True/AsExpected")
	world.Eventually(t, "there is no Lease on the provider", func() error { return leaseOf(west, s.name) })
	g.set(where("/customresourcedefinitions", silence))
	began := time.Now()
	const twice = 20 * time.Second // a renewal is due every 15 s
	world.Eventually(t, "the Lease is not renewed while discovery hangs", func() error {
		renewed := renewalOf(t, s.name)
		if age := time.Since(renewed); age > twice {
			t.Errorf("the Lease is %v old", age.Round(time.Second))
		}
		if renewed.Sub(began) < twice {
			return fmt.Errorf("renewed %v after discovery began to hang", renewed.Sub(began).Round(time.Second))
		}
		return nil
	})
	s.waitReady("False/DiscoveryFailed")
}

// renewalOf gives when the Lease of a Connection to west was renewed.
func renewalOf(t *testing.T, connection string) time.Time {
	t.Helper()
	at, err := west.At("leases.coordination.k8s.io", "plait")
	if err != nil {
		t.Fatal(err)
	}
	list, err := at.List(context.Background(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range list.Items {
		text, _, _ := unstructured.NestedString(u.Object, "spec", "renewTime")
		if len(u.GetName()) > len("plait-"+connection) && u.GetName()[:len("plait-"+connection)] == "plait-"+connection {
			renewed, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			return renewed
		}
	}
	t.Fatal("the Lease is gone")
	return time.Time{}
}

// TestAbandon deletes all that hangs on a provider that is gone for good: it waits, and goes once it is told so.
func TestAbandon(t *testing.T) {
	t.Parallel()
	s, g, here, there := behindGate(t, "abandoned", "deletionPolicy: Delete")
	databases := "databases." + s.group
	here.Apply(s.database("a", "1"))
	there.WaitFor(databases, "a", hasSize("1"))
	g.set(down)
	s.waitReady("False/Unreachable")
	s.Delete("ClusterBinding", s.name)
	s.Delete("Connection", s.name)
	s.WaitFor("ClusterBinding", s.name, world.HasCondition("Ready", "False/ReleasingObjects"))
	s.waitReady("False/DrainingBindings")
	if len(must(here.Get(databases, "a")).GetFinalizers()) == 0 {
		t.Error("the object was let go without its copy")
	}
	s.Patch("Connection", s.name, `{"spec":{"abandon":true}}`)
	s.WaitGone("ClusterBinding", s.name)
	s.WaitGone("Connection", s.name)
	if held := must(here.Get(databases, "a")).GetFinalizers(); len(held) > 0 {
		t.Errorf("the object is held still by %v", held)
	}
	if held := must(s.Get("Secret", s.name)).GetFinalizers(); len(held) > 0 {
		t.Errorf("the Secret is held still by %v", held)
	}
	must(there.Get(databases, "a")) // what is abandoned is left alone
}
