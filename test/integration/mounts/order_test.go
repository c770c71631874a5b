package mounts_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/test/world"
)

// cut loses the connection of an engine at its first write of a Workspace's status, before the request is sent, and for
// ever: what a kill at that moment does.
type cut struct {
	next http.RoundTripper
	done *atomic.Bool
	at   chan struct{}
}

func (c cut) RoundTrip(req *http.Request) (*http.Response, error) {
	isStatus := req.Method == http.MethodPatch && strings.HasSuffix(req.URL.Path, "/status") && strings.Contains(req.URL.Path, "/workspaces/cut-")
	if isStatus && isReady(req) && !c.done.Swap(true) {
		close(c.at)
	}
	if c.done.Load() {
		return nil, http.ErrServerClosed
	}
	return c.next.RoundTrip(req)
}

func isReady(req *http.Request) bool {
	body, err := io.ReadAll(req.Body)
	req.Body = io.NopCloser(bytes.NewReader(body))
	return err == nil && bytes.Contains(body, []byte(`"phase":"Ready"`))
}

// TestCutBetweenURLAndPhase loses the engine after the URL is written and before the phase is. The next one writes the phase
// alone.
func TestCutBetweenURLAndPhase(t *testing.T) {
	s := newScene(t, plait, "cut")
	w := s.mount(s.ref("a"))
	s.says(w, "Unavailable False/MountObjectNotFound", "")
	at, done := make(chan struct{}), &atomic.Bool{}
	withoutEngine(t)
	lost := shared.RunEngine(t, bothAPIs, func(o *engine.Options) {
		o.RESTConfig = rest.CopyConfig(o.RESTConfig)
		o.RESTConfig.Wrap(func(next http.RoundTripper) http.RoundTripper { return cut{next, done, at} })
	})
	s.cluster("a", readyAt(first))
	<-at
	s.says(w, "Unavailable False/MountObjectNotFound", first)
	lost.MustStop(t)
	ledger, err := shared.LedgerFor(world.Quiet)
	if err != nil {
		t.Fatal(err)
	}
	shared.RunEngine(t, bothAPIs)
	s.says(w, isUp, first)
	events, err := ledger.Settle(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Verb == "patch" && e.ObjectRef.Resource == "workspaces" && (e.ObjectRef.Name != w || e.ObjectRef.Subresource != "status") {
			t.Errorf("the next engine writes %s/%s", e.ObjectRef.Name, e.ObjectRef.Subresource)
		}
	}
}
