package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

// atProvider is before what requests to the provider are about.
const atProvider = "provider:"

// quiet is the time without a request of the engine after which it is idle.
const quiet = time.Second

var (
	groups     = schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegroups"}
	revisions  = schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegrouprevisions"}
	crds       = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	limits     = schema.GroupVersionResource{Version: "v1", Resource: "limitranges"}
)

// rig is a world, a proxy in front of it, an engine behind that, and a person who goes past the proxy. A second world, also
// behind a proxy, is a provider.
type rig struct {
	*world.World
	provider *world.World
	proxy    *proxy // its journal is that of the other one, too
	there    *proxy // of the provider
	engine   *world.Process
	client   dynamic.Interface
	copies   int // made so far; each has a number of its own

	cleanRuns map[string]clean // by workload
}

// faultsConfig has one of the cluster's controllers, for namespaces; the garbage collector would hide what the engine
// leaves behind.
var faultsConfig = cluster.Config{ControllerManager: true, ControllerManagerArgs: []string{"--controllers=namespace-controller"}}

// newRig starts proxies and an engine between two worlds. Providers are asked which APIs they have at no time but when
// there is a reason, so that nobody is helped by the clock.
func newRig(ctx context.Context, in, provider *world.World, program string) (*rig, error) {
	w := &rig{World: in, provider: provider, client: in.Client, cleanRuns: map[string]clean{}}
	config, err := in.RESTConfigFor(world.EngineUser, "system:masters")
	if err != nil {
		return nil, fmt.Errorf("making the engine's certificate: %w", err)
	}
	both := newJournal()
	if w.proxy, err = newProxy(config, "", both); err != nil {
		return nil, err
	}
	in.BeforeStop(w.proxy.stop)
	if w.there, err = newProxy(provider.RESTConfig(), atProvider, both); err != nil {
		return nil, err
	}
	in.BeforeStop(w.there.stop)
	flags := []string{"--concurrent-instances=400", "--concurrent-groups=100", "--connection-resync=1h"}
	if w.engine, err = in.NewProcess(program, flags...); err != nil {
		return nil, err
	}
	w.engine.Kubeconfig = filepath.Join(filepath.Dir(in.KubeconfigPath()), "proxy.yaml")
	if err := w.proxy.writeKubeconfig(w.engine.Kubeconfig); err != nil {
		return nil, err
	}
	if err := w.engine.Start(); err != nil {
		return nil, err
	}
	err = w.until(ctx, "the engine's own API", func() error {
		_, err := w.client.Resource(groups).List(ctx, metav1.ListOptions{})
		return err
	})
	if err != nil {
		return nil, err
	}
	return w, w.apply(ctx, "", "{apiVersion: v1, kind: Namespace, metadata: {name: plait-system}}")
}

// until waits until nothing is wrong any more, and fails when the engine ends or patience does.
func (w *rig) until(ctx context.Context, what string, wrong func() error) error {
	return world.Until(ctx, what, func() error {
		if died := w.engine.Died(); died != nil {
			return world.Final(died)
		}
		return wrong()
	})
}

// settle waits until the engine has asked for nothing for a while; watches and leases do not count.
func (w *rig) settle(ctx context.Context) error {
	return w.settleUnless(ctx, quiet, never)
}

func never() bool { return false }

// settleUnless is settle for some other time, that may end earlier.
func (w *rig) settleUnless(ctx context.Context, silence time.Duration, done func() bool) error {
	last, recent := time.Now(), []request(nil)
	_, seen := w.proxy.since(0)
	return w.until(ctx, "the engine to be idle", func() error {
		fresh, next := w.proxy.since(seen)
		seen = next
		for _, r := range fresh {
			if isWork(r) {
				last, recent = time.Now(), tailOf(append(recent, r), 10)
			}
		}
		if time.Since(last) < silence && !done() {
			return fmt.Errorf("its last requests are %v", recent)
		}
		return nil
	})
}

func isWork(r request) bool {
	resource, _, _ := strings.Cut(strings.TrimPrefix(r.what, atProvider), "/")
	return r.verb != "watch" && resource != "leases"
}

func tailOf(list []request, n int) []request { return list[max(0, len(list)-n):] }

// apply does what a person does with kubectl apply.
func (w *rig) apply(ctx context.Context, namespace, document string) error {
	_, err := w.Apply(ctx, namespace, document)
	return err
}

func (w *rig) at(gvr schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return w.client.Resource(gvr)
	}
	return w.client.Resource(gvr).Namespace(namespace)
}
