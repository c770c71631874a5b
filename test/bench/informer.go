package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/plait-run/plait/api/v1alpha1"
)

// informerEnv names the kubeconfig with which this program does nothing but keep an informer of client-go on the children.
const informerEnv = "PLAIT_BENCH_INFORMER"

// keepInformer keeps the informer until ctx ends, and prints a line when its first list is there.
func keepInformer(ctx context.Context, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("reading %s: %w", kubeconfig, err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, metav1.NamespaceAll, func(o *metav1.ListOptions) {
		o.LabelSelector = v1alpha1.LabelOwned
	})
	informer := factory.ForResource(configMaps).Informer()
	factory.Start(ctx.Done())
	defer factory.Shutdown()
	if cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		fmt.Println("synced")
	}
	<-ctx.Done()
	return nil
}

// timeInformer gives the processor time, in milliseconds, that a process needs for one event of a child which has an
// informer on it and does nothing with what that holds: the least that any controller on client-go spends.
func (w *rig) timeInformer(ctx context.Context, events int) (each float64, err error) {
	program, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("finding this program: %w", err)
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), informerEnv+"="+w.KubeconfigPath())
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, fmt.Errorf("reading from an informer: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("starting an informer: %w", err)
	}
	defer func() {
		err = errors.Join(err, cmd.Process.Signal(os.Interrupt), cmd.Wait())
	}()
	if !bufio.NewScanner(out).Scan() {
		return 0, errors.New("an informer ended before its first list was there")
	}
	used, err := cpuOf(cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	if err := w.noteOften(ctx, "beside", events); err != nil {
		return 0, err
	}
	now, err := cpuOf(cmd.Process.Pid)
	return float64((now - used).Milliseconds()) / float64(events), err
}
