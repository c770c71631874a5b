package identity

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"k8s.io/client-go/rest"
)

func TestReleaseUnused(t *testing.T) {
	clients, err := NewClients(&rest.Config{Host: "https://here.example.com"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []Identity{{Namespace: "a", Name: "x"}, {Namespace: "a", Name: "y"}, {Namespace: "b", Name: "x"}, {Self: true}} {
		if _, err := clients.For(id); err != nil {
			t.Fatal(err)
		}
		clients.metrics.total.WithLabelValues(id.Namespace, id.Name, resultSuccess).Inc()
	}
	clients.ReleaseUnused(func(namespace string) bool { return namespace == "b" })
	if n := len(clients.clients); n != 2 {
		t.Errorf("%d clients are left, want that of b and the engine's own", n)
	}
	if n := testutil.CollectAndCount(clients.metrics); n != 2 {
		t.Errorf("%d series are left, want those of b and of the engine itself", n)
	}
}
