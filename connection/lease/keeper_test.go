package lease_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"

	"github.com/plait-run/plait/connection/lease"
	"github.com/plait-run/plait/connection/remote"
)

// cluster is as much of a provider as a heartbeat needs.
type cluster struct {
	mu     sync.Mutex
	lease  *coordinationv1.Lease
	writes int
}

func (c *cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	isLease := strings.Contains(r.URL.Path, "/namespaces/beats/leases")
	switch {
	case r.URL.Path == "/api/v1/namespaces/kube-system":
		fmt.Fprint(w, `{"kind":"Namespace","apiVersion":"v1","metadata":{"uid":"there"}}`)
	case isLease && (r.Method == http.MethodPost || r.Method == http.MethodPut):
		written := &coordinationv1.Lease{}
		if err := json.NewDecoder(r.Body).Decode(written); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		c.writes++
		written.UID, c.lease = "lease", written
		_ = json.NewEncoder(w).Encode(written)
	case isLease && c.lease != nil && r.Method == http.MethodDelete:
		c.lease = nil
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Success"}`)
	case isLease && c.lease != nil:
		_ = json.NewEncoder(w).Encode(c.lease)
	default:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":404,"reason":"NotFound"}`)
	}
}

func (c *cluster) holder() (string, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lease == nil {
		return "", c.writes
	}
	return *c.lease.Spec.HolderIdentity, c.writes
}

func connected(t *testing.T, c *cluster) *remote.Registry {
	t.Helper()
	server := httptest.NewTLSServer(c)
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	access, err := remote.Parse(fmt.Appendf(nil, `{"current-context":"a","contexts":[{"name":"a","context":{"cluster":"a","user":"a"}}],
		"clusters":[{"name":"a","cluster":{"server":%q,"certificate-authority-data":%q}}],"users":[{"name":"a","user":{"token":"t"}}]}`,
		server.URL, base64.StdEncoding.EncodeToString(ca)), false)
	if err != nil {
		t.Fatal(err)
	}
	p, err := remote.Connect(t.Context(), access, remote.Pin{Connection: "acme"})
	if err != nil {
		t.Fatal(err)
	}
	registry := remote.NewRegistry()
	registry.Put(p)
	return registry
}

func TestKeeperRenewsUntilItIsReleased(t *testing.T) {
	there := &cluster{}
	renewals := make(chan error, 1000)
	k := lease.NewKeeper(lease.Config{
		Providers: connected(t, there), Interval: 10 * time.Millisecond,
		Renewed: func(_ string, failure error) { renewals <- failure },
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.Start(ctx) }()
	beat := lease.NewBeat("acme", "beats", "here")
	k.Keep(beat)
	k.Keep(beat)
	for range 3 {
		if err := <-renewals; err != nil {
			t.Fatal(err)
		}
	}
	if holder, writes := there.holder(); holder != "here" || writes < 3 {
		t.Errorf("the Lease is held by %q after %d writes, want by this cluster after 3", holder, writes)
	}
	if last, err := k.Last("acme"); last.IsZero() || err != nil {
		t.Errorf("last renewed %s, %v", last, err)
	}
	if err := k.Release(t.Context(), beat); err != nil {
		t.Fatal(err)
	}
	if holder, _ := there.holder(); holder != "" {
		t.Errorf("the Lease is still there, held by %q", holder)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestKeeperWithoutAProvider(t *testing.T) {
	renewals := make(chan error, 10)
	k := lease.NewKeeper(lease.Config{Providers: remote.NewRegistry(), Interval: time.Hour, Renewed: func(_ string, failure error) { renewals <- failure }})
	beat := lease.NewBeat("acme", "beats", "here")
	k.Keep(beat) // before it runs
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.Start(ctx) }()
	if err := <-renewals; err == nil {
		t.Error("a Lease was renewed nowhere")
	}
	if err := k.Release(t.Context(), beat); err == nil {
		t.Error("a Lease was released nowhere")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestLeaseOfSomebodyElseStays(t *testing.T) {
	there := &cluster{lease: &coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{HolderIdentity: new("somebody else")}}}
	k := lease.NewKeeper(lease.Config{Providers: connected(t, there)})
	if err := k.Release(t.Context(), lease.NewBeat("acme", "beats", "here")); err != nil {
		t.Fatal(err)
	}
	if holder, _ := there.holder(); holder != "somebody else" {
		t.Errorf("the Lease is held by %q by now", holder)
	}
}
