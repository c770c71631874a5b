package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/dynamiccontroller/discovery"
	"github.com/plait-run/plait/test/world"
)

// counting gives a configuration whose requests are counted.
func counting(config *rest.Config, n *atomic.Int64) *rest.Config {
	out := rest.CopyConfig(config)
	out.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.URL.Query().Get("watch") == "" {
				n.Add(1)
			}
			return next.RoundTrip(r)
		})
	})
	return out
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type told struct {
	mu    sync.Mutex
	kinds map[schema.GroupKind]int
}

func (o *told) hear(gk schema.GroupKind) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kinds[gk]++
}

func (o *told) count(gk schema.GroupKind) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kinds[gk]
}

func newDiscovery(t *testing.T, config *rest.Config) (*discovery.Discovery, *told) {
	t.Helper()
	d, err := discovery.New(discovery.Config{REST: config})
	if err != nil {
		t.Fatal(err)
	}
	heard := &told{kinds: map[schema.GroupKind]int{}}
	d.OnChange(heard.hear)
	serve(t, d.Start)
	world.Eventually(t, "discovery does not answer", func() error {
		_, _, err := d.Resolve(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"})
		return err
	})
	return d, heard
}

func TestResolve(t *testing.T) {
	var requests atomic.Int64
	client := shared.Client
	_, own := define(t, client, "Resolved")
	d, _ := newDiscovery(t, counting(shared.RESTConfig(), &requests))
	type row struct {
		gvk                   schema.GroupVersionKind
		resource, field       string
		namespaced, scale, ok bool
	}
	rows := []row{
		{schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, "configmaps", "data", true, false, true},
		{schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, "namespaces", "spec", false, false, true},
		{schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, "deployments", "spec", true, true, true},
		{own, "resolveds", "spec", true, false, true},
		{schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Nothing"}, "", "", false, false, false},
		{schema.GroupVersionKind{Group: "no.such.group", Version: "v1", Kind: "Nothing"}, "", "", false, false, false},
	}
	check := func() {
		for _, r := range rows {
			k, ok, err := d.Resolve(r.gvk)
			if err != nil || ok != r.ok {
				t.Errorf("Resolve(%v) = %v, %v; want %v", r.gvk, ok, err, r.ok)
				continue
			}
			m, ok, err := d.Mapping(r.gvk)
			if err != nil || ok != r.ok {
				t.Errorf("Mapping(%v) = %v, %v; want %v", r.gvk, ok, err, r.ok)
			}
			located, ok, err := d.Locate(t.Context(), r.gvk.GroupKind())
			if err != nil || ok != r.ok || located != m.Resource {
				t.Errorf("Locate(%v) = %v, %v, %v; want %v", r.gvk.GroupKind(), located, ok, err, m.Resource)
			}
			if !r.ok {
				continue
			}
			if k.Resource.Resource != r.resource || k.Namespaced != r.namespaced || k.HasScale != r.scale || k.Schema.Properties[r.field].Type == nil {
				t.Errorf("Resolve(%v) = %+v", r.gvk, k)
			}
			if m.Resource != k.Resource || m.Namespaced != k.Namespaced {
				t.Errorf("Mapping(%v) = %+v, Resolve says %v", r.gvk, m, k.Resource)
			}
		}
	}
	check()
	before := requests.Load()
	for range 20 {
		check()
	}
	if n := requests.Load() - before; n > 1 {
		t.Errorf("%d requests for what is known already, want at most one", n)
	}
}

// TestDefinitionsComeAndGo resolves a kind as soon as its definition is established, sees its changes, and knows when it
// is gone.
func TestDefinitionsComeAndGo(t *testing.T) {
	client := shared.Client
	d, heard := newDiscovery(t, shared.RESTConfig())
	gvr, gvk := kindNamed("Fleeting")
	if _, ok, err := d.Resolve(gvk); ok || err != nil {
		t.Fatalf("Resolve before the definition = %v, %v", ok, err)
	}
	define(t, client, gvk.Kind)
	world.Eventually(t, "nobody hears of a new kind", func() error { return heardOf(heard, gvk, 1) })
	k, ok, err := d.Resolve(gvk)
	if err != nil || !ok || k.Resource != gvr || !k.HasStatus {
		t.Fatalf("Resolve = %+v, %v, %v", k, ok, err)
	}
	if m, ok, err := d.Mapping(gvk); err != nil || !ok || m.Resource != gvr {
		t.Errorf("Mapping = %+v, %v, %v", m, ok, err)
	}
	if located, ok, err := d.Locate(t.Context(), gvk.GroupKind()); err != nil || !ok || located != gvr {
		t.Errorf("Locate = %v, %v, %v", located, ok, err)
	}
	changed := heard.count(gvk.GroupKind())
	patch := `[{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/more","value":{"type":"integer"}}]`
	if _, err := client.Resource(crdsOf).Patch(t.Context(), gvr.GroupResource().String(), "application/json-patch+json", []byte(patch), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	world.Eventually(t, "nobody hears of a change", func() error { return heardOf(heard, gvk, changed+1) })
	if k, _, _ = d.Resolve(gvk); k.Schema.Properties["more"].Type == nil {
		t.Error("the changed schema is not resolved")
	}
	changed = heard.count(gvk.GroupKind())
	if err := client.Resource(crdsOf).Delete(context.Background(), gvr.GroupResource().String(), metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	world.Eventually(t, "nobody hears of the end", func() error { return heardOf(heard, gvk, changed+1) })
	if _, ok, err := d.Resolve(gvk); ok || err != nil {
		t.Errorf("Resolve after the end = %v, %v", ok, err)
	}
	if _, ok, err := d.Mapping(gvk); ok || err != nil {
		t.Errorf("Mapping after the end = %v, %v", ok, err)
	}
}

func heardOf(o *told, gvk schema.GroupVersionKind, want int) error {
	if n := o.count(gvk.GroupKind()); n < want {
		return fmt.Errorf("heard %d times, want %d", n, want)
	}
	return nil
}

// TestGroupUnavailable registers an API service that nobody serves: its kinds cannot be told, others can.
func TestGroupUnavailable(t *testing.T) {
	client := shared.Client
	services := schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}
	u := object("apiregistration.k8s.io/v1", "APIService", "v1.absent.test")
	u.Object["spec"] = map[string]any{
		"group": "absent.test", "version": "v1", "groupPriorityMinimum": int64(1000), "versionPriority": int64(15),
		"insecureSkipTLSVerify": true, "service": map[string]any{"namespace": "default", "name": "absent"},
	}
	create(t, client, services, "", u)
	t.Cleanup(func() {
		_ = client.Resource(services).Delete(context.Background(), "v1.absent.test", metav1.DeleteOptions{})
	})
	d, _ := newDiscovery(t, shared.RESTConfig())
	absent := schema.GroupVersionKind{Group: "absent.test", Version: "v1", Kind: "Thing"}
	world.Eventually(t, "a group that cannot be told counts as not installed", func() error {
		if _, ok, err := d.Resolve(absent); err == nil {
			return fmt.Errorf("Resolve = %v without an error", ok)
		}
		return nil
	})
	if _, ok, err := d.Locate(t.Context(), absent.GroupKind()); ok || err == nil {
		t.Errorf("Locate = %v, %v; want an error", ok, err)
	}
	if _, ok, err := d.Resolve(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}); !ok || err != nil {
		t.Errorf("another group: %v, %v", ok, err)
	}
}
