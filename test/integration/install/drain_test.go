package install_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/test/world"
)

// output is what drain tells, while it may still be telling.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(data []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(data)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// TestDrain waits for the engine to stop, releases groups and instances, leaves everything that users have, and lets all of
// it be deleted with no engine. A group that was being deleted goes, and its kind takes new objects again.
func TestDrain(t *testing.T) {
	elected := func(o *engine.Options) { o.LeaderElect, o.Namespace = true, home }
	running := shared.RunEngine(t, elected)
	space := shared.Space(t, "team-drain")
	serveExample(t, space)
	before := space.WaitStatus("WebApp", "shop", "state", "ACTIVE")
	deployment, err := space.Get("Deployment", "shop")
	if err != nil {
		t.Fatal(err)
	}
	space.Patch("WebApp", "shop", `{"metadata":{"finalizers":["example.com/mine","`+strings.Join(before.GetFinalizers(), `","`)+`"]}}`)
	space.Delete("ResourceGroup", "webapps.apps.plait.run")
	world.Eventually(t, "the kind of a group that is being deleted takes new objects", func() error {
		switch err := tryNew(t, space); {
		case err == nil:
			return errors.New("it is taken")
		case !strings.Contains(err.Error(), "is being deleted"):
			return err
		}
		return nil
	})

	options := engine.Defaults()
	options.RESTConfig = shared.RESTConfig()
	elected(&options)
	said, ended := &output{}, make(chan error, 1)
	go func() { ended <- engine.Drain(context.Background(), options, said) }()
	world.Eventually(t, "drain does not tell of the engine that runs", func() error { return said.mustTell("stop it") })
	running.MustStop(t)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"released 1 webapps.apps.plait.run", "released 1 resourcegroups.plait.run", "nothing in this cluster waits for Plait"} {
		if err := said.mustTell(text); err != nil {
			t.Error(err)
		}
	}

	shop, err := space.Get("WebApp", "shop")
	if err != nil || len(shop.GetFinalizers()) != 1 || shop.GetFinalizers()[0] != "example.com/mine" {
		t.Errorf("the instance has the finalizers %v, %v", shop.GetFinalizers(), err)
	}
	after, err := space.Get("Deployment", "shop")
	if err != nil || after.GetUID() != deployment.GetUID() || after.GetGeneration() != deployment.GetGeneration() {
		t.Errorf("the child is another one: %v", err)
	}
	space.WaitGone("ResourceGroup", "webapps.apps.plait.run")
	world.Eventually(t, "the kind of a group that has gone takes no new objects", func() error { return tryNew(t, space) })
	space.Patch("WebApp", "shop", `{"metadata":{"finalizers":null}}`)
	orphan := metav1.DeletePropagationOrphan
	if err := space.At("WebApp").Delete(t.Context(), "shop", metav1.DeleteOptions{PropagationPolicy: &orphan}); err != nil {
		t.Fatal(err)
	}
	space.WaitGone("WebApp", "shop")
	if _, err := space.Get("Deployment", "shop"); err != nil {
		t.Errorf("the child has gone with its instance, which was deleted as an orphan's parent: %v", err)
	}
}

// tryNew has the API server say whether it would take one more instance of the example.
func tryNew(t *testing.T, space *world.Space) error {
	t.Helper()
	objects, err := world.ReadFile(world.InTree("examples", "webapp", "instance.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	one := objects[0]
	one.SetNamespace(space.Namespace)
	one.SetName("another")
	_, err = space.At("WebApp").Create(t.Context(), one, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

func (o *output) mustTell(text string) error {
	if said := o.String(); !strings.Contains(said, text) {
		return &silent{text, said}
	}
	return nil
}

type silent struct{ text, said string }

func (s *silent) Error() string { return "it does not say " + s.text + ", but " + s.said }
