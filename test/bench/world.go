package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/cmd/plait/cluster"
)

const (
	engineUser = "plait-engine"
	namespace  = "default"
	patience   = 2 * time.Minute // for anything that is waited for
	rhythm     = 5 * time.Millisecond
	quiet      = time.Second // without a request of the engine: settled
)

var (
	groups     = schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegroups"}
	things     = schema.GroupVersionResource{Group: "bench.plait.run", Version: "v1alpha1", Resource: "things"}
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
)

// world is a cluster with an engine in a process of its own.
type world struct {
	cluster *cluster.Cluster
	engine  *exec.Cmd
	ended   chan error
	client  dynamic.Interface
	took    time.Duration // of the last timed step, without the wait for quiet
}

func newWorld(ctx context.Context, engine string) (*world, error) {
	c, err := cluster.Start(ctx, cluster.Config{Audit: true})
	if err != nil {
		return nil, err
	}
	w := &world{cluster: c, ended: make(chan error, 1)}
	if err := w.start(ctx, engine); err != nil {
		return nil, errors.Join(err, w.stop())
	}
	return w, nil
}

func (w *world) start(ctx context.Context, engine string) error {
	var err error
	if w.client, err = dynamic.NewForConfig(w.cluster.RESTConfig()); err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	kubeconfig, err := w.cluster.WriteKubeconfig(engineUser, "system:masters")
	if err != nil {
		return fmt.Errorf("making the engine's kubeconfig: %w", err)
	}
	log, err := os.Create(filepath.Join(filepath.Dir(w.cluster.AuditLog()), "engine.log"))
	if err != nil {
		return fmt.Errorf("making the engine's log: %w", err)
	}
	defer log.Close()
	w.engine = exec.Command(engine, "controller", "--kubeconfig", kubeconfig, "--install-crds", "--leader-elect=false",
		"--allow-acting-as-self", "--metrics-bind-address=0", "--health-probe-bind-address=0")
	w.engine.Stdout, w.engine.Stderr = log, log
	w.engine.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := w.engine.Start(); err != nil {
		return fmt.Errorf("starting the engine: %w", err)
	}
	go func() { w.ended <- w.engine.Wait() }()
	return w.until(ctx, "the engine's own API", func() (bool, error) {
		_, err := w.client.Resource(groups).List(ctx, metav1.ListOptions{})
		return err == nil, nil
	})
}

// stop ends engine and cluster.
func (w *world) stop() error {
	var errs []error
	if w.engine != nil && w.engine.Process != nil {
		if err := w.engine.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			errs = append(errs, err)
		}
		if err := <-w.ended; err != nil {
			errs = append(errs, fmt.Errorf("stopping the engine: %w", err))
		}
	}
	return errors.Join(append(errs, w.cluster.Stop())...)
}

// until waits for a condition, and fails when the engine ends or patience does.
func (w *world) until(ctx context.Context, what string, holds func() (bool, error)) error {
	deadline := time.Now().Add(patience)
	for {
		ok, err := holds()
		switch {
		case err != nil:
			return fmt.Errorf("waiting for %s: %w", what, err)
		case ok:
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("waiting for %s: not there after %s", what, patience)
		}
		select {
		case err := <-w.ended:
			w.ended <- err
			return fmt.Errorf("waiting for %s: the engine has ended: %w", what, err)
		default:
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

// serve applies a ResourceGroup and waits until it is ready.
func (w *world) serve(ctx context.Context, text string) error {
	object := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		return fmt.Errorf("reading the group: %w", err)
	}
	group := &unstructured.Unstructured{Object: object}
	if _, err := w.client.Resource(groups).Apply(ctx, group.GetName(), group, metav1.ApplyOptions{FieldManager: "bench"}); err != nil {
		return fmt.Errorf("applying the group: %w", err)
	}
	err := w.until(ctx, "the group", func() (bool, error) {
		live, err := w.client.Resource(groups).Get(ctx, group.GetName(), metav1.GetOptions{})
		return err == nil && isReady(live), err
	})
	if err != nil {
		return err
	}
	return w.settle(ctx)
}

// counted waits until the group tells of as many ready instances; it is written every ten seconds at most.
func (w *world) counted(ctx context.Context, n int64) error {
	return w.until(ctx, "the group's count of instances", func() (bool, error) {
		live, err := w.client.Resource(groups).Get(ctx, "things", metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		ready, _, _ := unstructured.NestedInt64(live.Object, "status", "instances", "ready")
		return ready >= n, nil
	})
}

func isReady(o *unstructured.Unstructured) bool {
	observed, _, _ := unstructured.NestedInt64(o.Object, "status", "observedGeneration")
	conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, item := range conditions {
		if c, ok := item.(map[string]any); ok && c["type"] == "Ready" {
			return c["status"] == "True" && observed == o.GetGeneration()
		}
	}
	return false
}

func thing(name, value string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "bench.plait.run/v1alpha1", "kind": "Thing",
		"metadata": map[string]any{"name": name, "namespace": namespace},
		"spec":     map[string]any{"value": value},
	}}
}

// createAll creates instances prefix-0 … and waits until all are ACTIVE.
func (w *world) createAll(ctx context.Context, prefix string, n int) error {
	done := w.watchThings(ctx)
	defer done.stop()
	for i := range n {
		if _, err := w.client.Resource(things).Namespace(namespace).Create(ctx, thing(fmt.Sprintf("%s-%d", prefix, i), "first"), metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating an instance: %w", err)
		}
	}
	return w.until(ctx, "ACTIVE instances", func() (bool, error) { return done.active() >= n, nil })
}

// changeAndWait changes the value of an instance and waits until it is ACTIVE at the new generation.
func (w *world) changeAndWait(ctx context.Context, name, value string) error {
	changed, err := w.client.Resource(things).Namespace(namespace).Apply(ctx, name, thing(name, value), metav1.ApplyOptions{FieldManager: "bench", Force: true})
	if err != nil {
		return fmt.Errorf("changing an instance: %w", err)
	}
	return w.until(ctx, "the changed instance", func() (bool, error) {
		live, err := w.client.Resource(things).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
		return err == nil && live.GetGeneration() == changed.GetGeneration() && isReady(live), err
	})
}

// deleteAll deletes instances prefix-0 … and waits until they are gone.
func (w *world) deleteAll(ctx context.Context, prefix string, n int) error {
	done := w.watchThings(ctx)
	defer done.stop()
	for i := range n {
		if err := w.client.Resource(things).Namespace(namespace).Delete(ctx, fmt.Sprintf("%s-%d", prefix, i), metav1.DeleteOptions{}); err != nil {
			return fmt.Errorf("deleting an instance: %w", err)
		}
	}
	return w.until(ctx, "deleted instances", func() (bool, error) {
		if done.gone() < n {
			return false, nil
		}
		_, err := w.client.Resource(things).Namespace(namespace).Get(ctx, fmt.Sprintf("%s-%d", prefix, n-1), metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
}

// repairDrift changes a child and gives the time until it is as it was.
func (w *world) repairDrift(ctx context.Context, name string) (time.Duration, error) {
	children := w.client.Resource(configMaps).Namespace(namespace)
	child, err := children.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return 0, fmt.Errorf("reading a child: %w", err)
	}
	want, _, _ := unstructured.NestedString(child.Object, "data", "value")
	if err := unstructured.SetNestedField(child.Object, "drifted", "data", "value"); err != nil {
		return 0, fmt.Errorf("changing a child: %w", err)
	}
	began := time.Now()
	if _, err := children.Update(ctx, child, metav1.UpdateOptions{}); err != nil {
		return 0, fmt.Errorf("changing a child: %w", err)
	}
	err = w.until(ctx, "the repair", func() (bool, error) {
		live, err := children.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		value, _, _ := unstructured.NestedString(live.Object, "data", "value")
		return value == want, nil
	})
	return time.Since(began), err
}
