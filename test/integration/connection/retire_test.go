package connection

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/test/world"
)

// replacements has something done just before the engine replaces a definition, once.
var replacements struct {
	mu     sync.Mutex
	before map[string]func() // by name
}

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
	made := make(chan error, 1)
	replacements.mu.Lock()
	replacements.before = map[string]func(){name: func() {
		_, err := consumer.Apply(t.Context(), "lastmoment", s.database("a", "1"))
		made <- err
	}}
	replacements.mu.Unlock()
	s.Remove("ResourceGroup", "lastshop")
	if err := <-made; err != nil {
		t.Fatal(err)
	}
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
	world.Eventually(t, "the definition that nothing uses stays", func() error {
		if s.installed("databases") != nil {
			return fmt.Errorf("it is there")
		}
		return nil
	})
}
