package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/cmd/plait/cluster"
)

// patience is how long a test waits for what comes within seconds on a machine
// that does nothing else.
const patience = 2 * time.Minute

// start starts a cluster that the end of the test stops.
func start(t *testing.T, config cluster.Config) *cluster.Cluster {
	t.Helper()
	begun := time.Now()
	c, err := cluster.Start(t.Context(), config)
	if err != nil {
		t.Fatalf("Start: %v", err)
	}
	t.Logf("started in %v", time.Since(begun).Round(time.Millisecond))
	t.Cleanup(func() { stop(t, c) })
	return c
}

// stop stops the cluster and fails the test when a process is left.
func stop(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	pids := c.PIDs()
	if err := c.Stop(); err != nil {
		t.Errorf("Stop: %v", err)
	}
	for _, pid := range pids {
		if isAlive(pid) {
			t.Errorf("process %d is alive after Stop", pid)
		}
	}
	if left := c.PIDs(); len(left) != 0 {
		t.Errorf("PIDs after Stop = %v, want none", left)
	}
}

// isAlive tells whether a process runs; one that is dead but not yet reaped by
// its parent does not.
func isAlive(pid int) bool {
	if err := syscall.Kill(pid, 0); err != nil {
		return !errors.Is(err, syscall.ESRCH)
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}

// eventually waits until the check finds nothing wrong.
func eventually(t *testing.T, what string, check func(context.Context) error) {
	t.Helper()
	begun := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	var wrong error
	for {
		err := check(ctx)
		if ctx.Err() == nil {
			wrong = err
		}
		if err == nil {
			t.Logf("%s after %v", what, time.Since(begun).Round(time.Millisecond))
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s: %v", what, wrong)
		case <-ticker.C:
		}
	}
}

func newClient(t *testing.T, config *rest.Config) client.Client {
	t.Helper()
	out, err := client.New(config, client.Options{Scheme: scheme.Scheme})
	if err != nil {
		t.Fatalf("making a client: %v", err)
	}
	return out
}

func create(t *testing.T, to client.Client, objects ...client.Object) {
	t.Helper()
	for _, object := range objects {
		if err := to.Create(t.Context(), object); err != nil {
			t.Fatalf("creating %T %q: %v", object, object.GetName(), err)
		}
	}
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

func isNotFound(err error) error {
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	if err == nil {
		return errors.New("still there")
	}
	return nil
}
