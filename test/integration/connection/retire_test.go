package connection

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/test/world"
)

// replacements has something done just before the engine replaces a definition, once.
var replacements = struct {
	mu     sync.Mutex
	before map[string]func() // by name
}{before: map[string]func(){}}

// replacing is the engine's way to its API server.
type replacing struct{ next http.RoundTripper }

func (r replacing) RoundTrip(req *http.Request) (*http.Response, error) {
	if _, name, ok := strings.Cut(req.URL.Path, "/customresourcedefinitions/"); ok && req.Method == http.MethodPut {
		replacements.mu.Lock()
		do := replacements.before[name]
		delete(replacements.before, name)
		replacements.mu.Unlock()
		if do != nil {
			do()
		}
	}
	return r.next.RoundTrip(req)
}

// TestObjectOfTheLastMoment makes an object of an imported kind after the engine has seen that there is none and before it
// takes the kind away: kind and object stay, and the kind goes when the object has gone.
func TestObjectOfTheLastMoment(t *testing.T) {
	t.Parallel()
	s := newSuite(t, "lastmoment")
	name := "databases." + s.group
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases")
	s.serve("lastshop")
	s.connect("schema: {pullPolicy: Referenced}")
	s.waitAPI("databases", "Installed/")
	s.WaitReady("ResourceGroup", "lastshop", "True/")
	before := s.installed("databases")

	here := consumer.Space(t, "lastmoment")
	s.leaveAtTheLastMoment("lastshop", "lastmoment")
	world.Eventually(t, "the definition is not opened again", func() error {
		u := s.installed("databases")
		if u == nil || u.GetUID() != before.GetUID() {
			return world.Final(fmt.Errorf("it is gone, or made anew: %v", u))
		}
		if got := versionsOf(t, u); got != "v1 served stored" || u.GetGeneration() < before.GetGeneration()+2 { // closed, and opened
			return fmt.Errorf("its versions are %s, its generation is %d, was %d", got, u.GetGeneration(), before.GetGeneration())
		}
		return nil
	})
	here.WaitFor(name, "a", hasSize("1"))
	world.Eventually(t, "the object cannot be deleted", func() error { // the API server takes a moment to serve its kind again
		return here.At(name).Delete(t.Context(), "a", metav1.DeleteOptions{})
	})
	s.waitUninstalled("databases")
}

// leaveAtTheLastMoment deletes a group, and makes an object just before the engine closes the definition for it.
func (s *suite) leaveAtTheLastMoment(group, namespace string) {
	s.t.Helper()
	made := make(chan error, 1)
	replacements.mu.Lock()
	replacements.before["databases."+s.group] = func() {
		_, err := consumer.Apply(s.t.Context(), namespace, s.database("a", "1"))
		made <- err
	}
	replacements.mu.Unlock()
	s.Remove("ResourceGroup", group)
	if err := <-made; err != nil {
		s.t.Fatal(err)
	}
}

func (s *suite) waitUninstalled(resource string) {
	s.t.Helper()
	world.Eventually(s.t, "the definition that nothing uses stays", func() error {
		if u := s.installed(resource); u != nil {
			conn, _ := s.Get("Connection", s.name)
			return fmt.Errorf("it is there, of generation %d with the versions %s; the Connection says %v",
				u.GetGeneration(), versionsOf(s.t, u), conn.Object["status"])
		}
		return nil
	})
}

// TestBrokenAPIOfTheLastMoment is the same for an API whose new schema is refused here: what is opened again is the old one.
func TestBrokenAPIOfTheLastMoment(t *testing.T) {
	t.Parallel()
	s := newSuite(t, "brokenmoment")
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases")
	s.serve("brokenshop")
	s.connect("schema: {pullPolicy: Referenced}, autoBind: true")
	s.waitAPI("databases", "Installed/") // before the provider changes it
	s.WaitReady("ResourceGroup", "brokenshop", "True/")
	s.define(east, definition{Kind: "Database", Versions: strings.Replace(simpleVersions, "maxLength: 20", "maxLength: 5", 1)}, exported)
	s.waitAPI("databases", "Conflict/BreakingChange")
	before := s.installed("databases")

	here := consumer.Space(t, "brokenmoment")
	s.leaveAtTheLastMoment("brokenshop", "brokenmoment")
	world.Eventually(t, "the definition is not opened again", func() error {
		u := s.installed("databases")
		if u == nil || u.GetUID() != before.GetUID() {
			return world.Final(fmt.Errorf("it is gone, or made anew: %v", u))
		}
		if diff := cmp.Diff(before.Object["spec"], u.Object["spec"]); diff != "" || u.GetGeneration() == before.GetGeneration() {
			return fmt.Errorf("it differs (generation %d, was %d):\n%s", u.GetGeneration(), before.GetGeneration(), diff)
		}
		return nil
	})
	s.waitAPI("databases", "Conflict/BreakingChange")
	world.Eventually(t, "the object cannot be deleted", func() error {
		return here.At("databases."+s.group).Delete(t.Context(), "a", metav1.DeleteOptions{})
	})
	s.waitUninstalled("databases")
	s.WaitGone("ClusterBinding", s.name)
}

// TestOutdatedAPILeaves has a provider serve another version than the one that updatePolicy Once keeps here: that it is not
// used any more is seen all the same.
func TestOutdatedAPILeaves(t *testing.T) {
	t.Parallel()
	s := newSuite(t, "outdated")
	s.export(east, definition{Kind: "Database"})
	s.secret(kubeconfig(t, east, tenant))
	s.forgetInstalled("databases")
	s.serve("outshop")
	s.connect("schema: {pullPolicy: Referenced, updatePolicy: Once}")
	s.WaitReady("ResourceGroup", "outshop", "True/")
	second := strings.Replace(simpleVersions, "name: v1", "name: v2", 1)
	s.define(east, definition{Kind: "Database", Versions: strings.Replace(simpleVersions, "storage: true", "storage: false", 1) + second}, exported)
	if err := setStored(t, "databases."+s.group, "v2"); err != nil {
		t.Fatal(err)
	}
	s.define(east, definition{Kind: "Database", Versions: second}, exported)
	s.waitAPI("databases", "Installed/Outdated")
	s.Remove("ResourceGroup", "outshop")
	s.waitUninstalled("databases")
	s.waitReady("True/AsExpected")
}
