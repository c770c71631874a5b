package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/cmd/plait/cluster"
)

const (
	patience = 90 * time.Second // for anything that is waited for
	rhythm   = 20 * time.Millisecond
	quiet    = time.Second // without a request of the engine: it is idle
	user     = "faults"    // field manager of what a person would do
)

var (
	groups     = schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegroups"}
	revisions  = schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegrouprevisions"}
	crds       = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	limits     = schema.GroupVersionResource{Version: "v1", Resource: "limitranges"}
)

// world is a cluster, a proxy in front of it, an engine behind that, and a person who goes past the proxy.
type world struct {
	cluster *cluster.Cluster
	proxy   *proxy
	engine  *engine
	client  dynamic.Interface
	copies  int // made so far; each has a number of its own

	cleanRuns map[string]clean // by workload
}

// newWorld has one of the cluster's controllers, for namespaces; the garbage collector would hide what the engine
// leaves behind.
func newWorld(ctx context.Context, program string) (*world, error) {
	c, err := cluster.Start(ctx, cluster.Config{
		ControllerManager: true, ControllerManagerArgs: []string{"--controllers=namespace-controller"},
	})
	if err != nil {
		return nil, err
	}
	w := &world{cluster: c, cleanRuns: map[string]clean{}}
	if err := w.start(ctx, program); err != nil {
		return nil, errors.Join(err, w.stop())
	}
	return w, nil
}

func (w *world) start(ctx context.Context, program string) error {
	var err error
	if w.client, err = dynamic.NewForConfig(w.cluster.RESTConfig()); err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	config, err := w.cluster.RESTConfigFor("plait-engine", "system:masters")
	if err != nil {
		return fmt.Errorf("making the engine's certificate: %w", err)
	}
	if w.proxy, err = newProxy(config); err != nil {
		return err
	}
	dir := filepath.Dir(w.cluster.KubeconfigPath())
	kubeconfig := filepath.Join(dir, "proxy.yaml")
	if err := w.proxy.writeKubeconfig(kubeconfig); err != nil {
		return err
	}
	w.engine = &engine{
		program: program, kubeconfig: kubeconfig, logPath: filepath.Join(dir, "engine.log"),
		flags: []string{"--leader-elect=false", "--concurrent-instances=400", "--concurrent-groups=100"},
	}
	if err := w.engine.start(); err != nil {
		return err
	}
	return w.until(ctx, "the engine's own API", func() error {
		_, err := w.client.Resource(groups).List(ctx, metav1.ListOptions{})
		return err
	})
}

// stop ends all of it.
func (w *world) stop() error {
	var errs []error
	if w.engine != nil {
		errs = append(errs, w.engine.kill())
	}
	if w.proxy != nil {
		errs = append(errs, w.proxy.stop())
	}
	return errors.Join(append(errs, w.cluster.Stop())...)
}

// until waits until nothing is wrong any more, and fails when the engine ends or patience does.
func (w *world) until(ctx context.Context, what string, wrong func() error) error {
	deadline := time.Now().Add(patience)
	for {
		err := wrong()
		if err == nil {
			return nil
		}
		if died := w.engine.died(); died != nil {
			return fmt.Errorf("waiting for %s: %w", what, died)
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("waiting for %s: not there after %s: %w", what, patience, err)
		}
		if err := wait(ctx, rhythm); err != nil {
			return err
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// settle waits until the engine has asked for nothing for a while; watches and leases do not count.
func (w *world) settle(ctx context.Context) error {
	return w.settleUnless(ctx, func() bool { return false })
}

// settleUnless is settle that may end earlier.
func (w *world) settleUnless(ctx context.Context, done func() bool) error {
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
func (w *world) apply(ctx context.Context, gvr schema.GroupVersionResource, namespace, document string) error {
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(document), &u.Object); err != nil {
		return fmt.Errorf("reading a document: %w", err)
	}
	return w.until(ctx, "the API server to take "+u.GetName(), func() error {
		_, err := w.at(gvr, namespace).Apply(ctx, u.GetName(), u, metav1.ApplyOptions{FieldManager: user, Force: true})
		return err
	})
}

func (w *world) at(gvr schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return w.client.Resource(gvr)
	}
	return w.client.Resource(gvr).Namespace(namespace)
}

// isReady tells whether an object says that it is ready, at its present generation.
func isReady(u *unstructured.Unstructured) bool {
	observed, _, _ := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
	conditions, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, item := range conditions {
		if c, ok := item.(map[string]any); ok && c["type"] == "Ready" {
			return c["status"] == "True" && observed == u.GetGeneration()
		}
	}
	return false
}
