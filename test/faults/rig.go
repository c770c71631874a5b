package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

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

// rig is a world, a proxy in front of it, an engine behind that, and a person who goes past the proxy.
type rig struct {
	*world.World
	proxy  *proxy
	engine *world.Process
	client dynamic.Interface
	copies int // made so far; each has a number of its own

	cleanRuns map[string]clean // by workload
}

// faultsConfig has one of the cluster's controllers, for namespaces; the garbage collector would hide what the engine
// leaves behind.
var faultsConfig = cluster.Config{ControllerManager: true, ControllerManagerArgs: []string{"--controllers=namespace-controller"}}

// newRig starts a proxy and an engine in a world.
func newRig(ctx context.Context, in *world.World, program string) (*rig, error) {
	w := &rig{World: in, client: in.Client, cleanRuns: map[string]clean{}}
	config, err := in.RESTConfigFor(world.EngineUser, "system:masters")
	if err != nil {
		return nil, fmt.Errorf("making the engine's certificate: %w", err)
	}
	if w.proxy, err = newProxy(config); err != nil {
		return nil, err
	}
	in.BeforeStop(w.proxy.stop)
	if w.engine, err = in.NewProcess(program, "--concurrent-instances=400", "--concurrent-groups=100"); err != nil {
		return nil, err
	}
	w.engine.Kubeconfig = filepath.Join(filepath.Dir(in.KubeconfigPath()), "proxy.yaml")
	if err := w.proxy.writeKubeconfig(w.engine.Kubeconfig); err != nil {
		return nil, err
	}
	if err := w.engine.Start(); err != nil {
		return nil, err
	}
	return w, w.until(ctx, "the engine's own API", func() error {
		_, err := w.client.Resource(groups).List(ctx, metav1.ListOptions{})
		return err
	})
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
	return w.settleUnless(ctx, func() bool { return false })
}

// settleUnless is settle that may end earlier.
func (w *rig) settleUnless(ctx context.Context, done func() bool) error {
	last := time.Now()
	_, seen := w.proxy.since(0)
	return w.until(ctx, "the engine to be idle", func() error {
		fresh, next := w.proxy.since(seen)
		seen = next
		for _, r := range fresh {
			if isWork(r) {
				last = time.Now()
			}
		}
		if time.Since(last) < quiet && !done() {
			return fmt.Errorf("its last requests are %v", tailOf(fresh, 5))
		}
		return nil
	})
}

func isWork(r request) bool {
	return r.verb != "watch" && r.kind() != "update leases" && r.kind() != "get leases"
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
