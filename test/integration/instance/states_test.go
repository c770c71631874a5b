package instance_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"

	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/test/world"
)

// staged waits for a ConfigMap that the test makes, and fails when told to write what the API server refuses.
const staged = `  - {id: gate, externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: gate}}}
  - {id: one, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.spec.name}"}, data: {open: "${gate.data.open}"}}}
`

// TestKstatusAgreesInEveryState drives an instance through its states and asks the library that Flux, Argo CD and others
// use what it makes of each.
func TestKstatusAgreesInEveryState(t *testing.T) {
	w := newWorld(t)
	const kind = "Staged"
	running := shared.RunEngine(t)
	w.serve("Staged", "name: string | default=one", staged)
	running.MustStop(t)
	w.Apply(instanceOf("Staged", "a", ""))
	w.agrees(kind, "", status.InProgressStatus)
	var isBroken atomic.Bool
	shared.RunEngine(t, func(o *engine.Options) {
		o.RESTConfig.Wrap(func(next http.RoundTripper) http.RoundTripper { return breaker{next, &isBroken} })
	})
	w.agrees(kind, "IN_PROGRESS", status.InProgressStatus)
	w.Apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: gate}, data: {open: 'yes'}}")
	w.agrees(kind, "ACTIVE", status.CurrentStatus)
	w.Apply(instanceOf("Staged", "a", "name: Not A Name"))
	w.agrees(kind, "FAILED", status.FailedStatus)
	isBroken.Store(true)
	w.Apply(instanceOf("Staged", "a", "name: two"))
	w.agrees(kind, "ERROR", status.InProgressStatus)
	isBroken.Store(false)
	w.agrees(kind, "ACTIVE", status.CurrentStatus)
	w.Patch("ConfigMap", "two", `{"metadata":{"finalizers":["example.com/hold"]}}`)
	w.Delete(kind, "a")
	w.agrees(kind, "DELETING", status.TerminatingStatus)
	w.Patch("ConfigMap", "two", `{"metadata":{"finalizers":null}}`)
	w.WaitGone(kind, "a")
}

// breaker has the API server out of order for writes of ConfigMaps.
type breaker struct {
	next     http.RoundTripper
	isBroken *atomic.Bool
}

// RoundTrip is part of http.RoundTripper.
func (b breaker) RoundTrip(req *http.Request) (*http.Response, error) {
	if b.isBroken.Load() && req.Method == http.MethodPatch && strings.Contains(req.URL.Path, "/configmaps/") {
		return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
	}
	return b.next.RoundTrip(req)
}

// agrees waits for a state of instance a, and has kstatus judge the object that shows it.
func (w *space) agrees(kind, state string, want status.Status) {
	w.t.Helper()
	var u *unstructured.Unstructured
	world.Eventually(w.t, "a does not get "+state, func() (err error) {
		if u, err = w.Get(kind, "a"); err != nil {
			return err
		}
		got, _, _ := unstructured.NestedString(u.Object, "status", "state")
		seen, _, _ := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
		if got != state || (state != "" && state != "DELETING" && seen != u.GetGeneration()) {
			return fmt.Errorf("status is %v", u.Object["status"])
		}
		return nil
	})
	result, err := status.Compute(u)
	if err != nil || result.Status != want {
		w.t.Errorf("kstatus finds %v (error %v) in state %q, want %s; status %v", result, err, state, want, u.Object["status"])
	}
}

// TestRecreateOnImmutable changes what cannot be changed, with and without leave to replace the object.
func TestRecreateOnImmutable(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	node := `  - id: web
    %s
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: "${schema.metadata.name}-web"}
      spec:
        selector: {matchLabels: {app: "${schema.spec.app}"}}
        template: {metadata: {labels: {app: "${schema.spec.app}"}}, spec: {containers: [{name: main, image: "${schema.spec.image}"}]}}
`
	spec := `app: string | default=x, image: string | default="example.com/a:1"`
	kind := w.serve("Fixed", spec, fmt.Sprintf(node, "lifecycle: {deletion: Delete}"))
	w.Apply(instanceOf("Fixed", "a", ""))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	first, err := w.Get("Deployment", "a-web")
	if err != nil {
		t.Fatal(err)
	}
	w.Apply(instanceOf("Fixed", "a", "app: new"))
	u := w.WaitStatus(kind, "a", "state", "FAILED")
	if got := world.Condition(u, "Ready"); !strings.Contains(got, "spec.selector") {
		t.Errorf("the field is not named: %s", got)
	}
	w.serve("Fixed", spec, fmt.Sprintf(node, "lifecycle: {recreate: OnImmutable}"))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	second, err := w.Get("Deployment", "a-web")
	if err != nil {
		t.Fatal(err)
	}
	if app, _, _ := unstructured.NestedString(second.Object, "spec", "selector", "matchLabels", "app"); app != "new" || first.GetUID() == second.GetUID() {
		t.Errorf("the selector is app=%s, the UID %s, before %s", app, second.GetUID(), first.GetUID())
	}
	w.Apply(instanceOf("Fixed", "a", "app: new, image: ''"))
	w.WaitStatus(kind, "a", "state", "FAILED")
	third, err := w.Get("Deployment", "a-web")
	if err != nil || third.GetUID() != second.GetUID() {
		t.Errorf("a wrong value replaces the object: %v, error %v", third.GetUID(), err)
	}
}
