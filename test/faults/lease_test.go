package main

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

var leases = schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}

// TestStolenLease has two engines. The one that leads is stopped in the middle of a write and loses its lease; the other
// does the work, and more; then the write of the first one comes late, and the first one wakes up and has to go. Then
// the lease of the other is taken for a moment by somebody who is neither.
func TestStolenLease(t *testing.T) {
	alone := shared.engine
	if err := alone.Kill(); err != nil {
		t.Fatal(err)
	}
	first, second := elected(alone, "first"), elected(alone, "second")
	defer func() {
		for _, e := range []*world.Process{first, second} {
			if err := e.Kill(); err != nil {
				t.Error(err)
			}
		}
		shared.engine = alone
		if err := alone.Start(); err != nil {
			t.Error(err)
		}
	}()
	shared.engine = first
	mustStart(t, first)
	mustWait(t, "the first engine to lead", func() error {
		list, err := shared.client.Resource(leases).Namespace("default").List(t.Context(), metav1.ListOptions{})
		if err == nil && len(list.Items) == 0 {
			return fmt.Errorf("there is no lease")
		}
		return err
	})
	mustStart(t, second)
	s, all := newPassages(t, "chain", 1)
	mustBegin(t, s, all)
	mustStage(t, s, 0, all)

	const update, include, remove = 1, 3, 4
	slow := shared.proxy.arm(all[0].token, 1, fault{ending: late})
	if err := s.change(t.Context(), all[0].token, s.workload.stages[update]); err != nil {
		t.Fatal(err)
	}
	mustWait(t, "the first write of the first engine", func() error {
		if slow.isReached() {
			return nil
		}
		return fmt.Errorf("it has not come")
	})
	mustSignal(t, first, syscall.SIGSTOP)
	shared.engine = second
	steal(t, "nobody", 1)
	for i := update; i <= include; i++ {
		mustStage(t, s, i, all)
	}
	_, from := shared.proxy.since(0)
	close(slow.release)
	if err := shared.settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if log, _ := shared.proxy.since(from); len(writesOf(log, all[0].token)) < 2 {
		t.Errorf("after the late write: %v, want it and its repair", writesOf(log, all[0].token))
	}
	mustSignal(t, first, syscall.SIGCONT)
	mustWait(t, "the first engine to give up", func() error {
		if first.Died() != nil {
			return nil
		}
		return fmt.Errorf("it runs")
	})
	_, from = shared.proxy.since(0)
	both := party{s, all}
	if err := both.judge(t.Context(), include, both.await(t.Context(), include), from); err != nil {
		t.Fatal(err)
	}
	steal(t, "thief", 5)
	mustStage(t, s, remove, all)
	report(t, s)
}

// elected gives an engine that takes part in elections.
func elected(like *world.Process, name string) *world.Process {
	return &world.Process{
		Program: like.Program, Kubeconfig: like.Kubeconfig, LogPath: filepath.Join(filepath.Dir(like.LogPath), name+".log"),
		Flags: []string{"--leader-elect", "--leader-election-namespace=default"},
	}
}

func mustStart(t *testing.T, e *world.Process) {
	t.Helper()
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
}

func mustSignal(t *testing.T, e *world.Process, s syscall.Signal) {
	t.Helper()
	if err := e.Signal(s); err != nil {
		t.Fatal(err)
	}
}

func mustWait(t *testing.T, what string, wrong func() error) {
	t.Helper()
	if err := shared.until(t.Context(), what, wrong); err != nil {
		t.Fatal(err)
	}
}

// steal gives the lease to somebody for some seconds.
func steal(t *testing.T, holder string, seconds int) {
	t.Helper()
	all := shared.client.Resource(leases).Namespace("default")
	list, err := all.List(t.Context(), metav1.ListOptions{})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%d leases, error %v; want one", len(list.Items), err)
	}
	now := time.Now().UTC().Format(metav1.RFC3339Micro)
	patch := fmt.Sprintf(`{"spec":{"holderIdentity":%q,"leaseDurationSeconds":%d,"renewTime":%q}}`, holder, seconds, now)
	if _, err := all.Patch(t.Context(), list.Items[0].GetName(), types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}
