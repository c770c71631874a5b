// Package dev runs a cluster and an engine on this machine and shows an example come up.
//
// The command plait dev calls Run. It uses what users get: the control plane's real binaries, the engine as plait
// controller runs it, and nothing but the API to see how things stand. It leaves no process behind.
package dev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/cmd/plait/progress"
)

// Options are the settings of a run.
type Options struct {
	Files         []string // empty: the example
	Dir           string
	Assets        string
	Reset         bool
	Provider      bool // a second cluster beside it, whose API the example uses
	ExitWhenReady bool
	Out           io.Writer
	Width         int // of the terminal; 0: none
}

// patience is how long ExitWhenReady waits.
const patience = 3 * time.Minute

// NotReadyError says why the instances did not become ACTIVE in time.
type NotReadyError struct{ Reason string }

// Error is the reason.
func (e NotReadyError) Error() string { return e.Reason }

// session is one run.
type session struct {
	options  Options
	printer  *progress.Printer
	started  time.Time
	cluster  *cluster.Cluster
	provider *cluster.Cluster // nil: there is none
}

// Run starts everything, applies the documents, shows how they come up, and stays until ctx ends.
func Run(ctx context.Context, options Options) (err error) {
	s := &session{options: options, started: time.Now()}
	s.printer = progress.NewPrinter(options.Out, options.Width, s.stamp)
	s.printer.Say("plait dev: a real API server, etcd and controller-manager on this machine; pods are simulated, no container runs")
	docs, err := readDocuments(ctx, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	if err := s.startClusters(ctx); err != nil {
		return err
	}
	return s.runEngine(ctx, docs)
}

// stop stops the clusters that run.
func (s *session) stop() error {
	var errs []error
	for _, c := range []*cluster.Cluster{s.cluster, s.provider} {
		if c != nil {
			errs = append(errs, c.Stop())
		}
	}
	return errors.Join(errs...)
}

func (s *session) stamp() string { return fmt.Sprintf("%6.1fs", time.Since(s.started).Seconds()) }

// startClusters starts the cluster, and the provider's at the same time where there is to be one.
func (s *session) startClusters(ctx context.Context) error {
	if s.options.Reset {
		if err := s.reset(); err != nil {
			return err
		}
	}
	dir, err := filepath.Abs(s.options.Dir)
	if err != nil {
		return fmt.Errorf("finding the folder %q: %w", s.options.Dir, err)
	}
	config := cluster.Config{Assets: s.options.Assets, ControllerManager: true, NoFsync: true}
	var starting sync.WaitGroup
	var providerErr error
	if s.options.Provider {
		of := config
		of.Dir = filepath.Join(dir, providerFolder)
		s.printer.Say("%s starting a second cluster beside it: the provider's", s.stamp())
		starting.Go(func() { s.provider, providerErr = cluster.Start(ctx, of) })
	}
	config.Dir, config.Pods = filepath.Join(dir, clusterFolder), true
	config.Progress = func(message string) { s.printer.Say("%s %s", s.stamp(), message) }
	s.cluster, err = cluster.Start(ctx, config)
	starting.Wait()
	if err = errors.Join(err, providerErr); err != nil {
		return err
	}
	s.printer.Say("%s the cluster is up; in another terminal: export KUBECONFIG=%s", s.stamp(), s.cluster.KubeconfigPath())
	if s.provider != nil {
		s.printer.Say("%s the provider's is up; its kubeconfig is %s", s.stamp(), s.provider.KubeconfigPath())
	}
	return nil
}

// The folders of the clusters.
const (
	clusterFolder  = "cluster"
	providerFolder = "provider"
)

// reset removes the data of former runs: only the folders that hold clusters of ours. A provider's goes too, since it would
// take a cluster that begins anew for another consumer.
func (s *session) reset() error {
	for _, folder := range []string{clusterFolder, providerFolder} {
		data := filepath.Join(s.options.Dir, folder)
		if err := os.RemoveAll(data); err != nil {
			return fmt.Errorf("removing %q: %w", data, err)
		}
	}
	return nil
}

// runEngine runs the engine beside the demonstration; the first that ends with an error ends the other.
func (s *session) runEngine(ctx context.Context, docs documents) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	logFile, err := os.Create(filepath.Join(s.options.Dir, "engine.log"))
	if err != nil {
		return fmt.Errorf("making the engine's log: %w", err)
	}
	defer logFile.Close()
	options := engine.Defaults()
	options.RESTConfig, options.InstallCRDs, options.LeaderElect, options.ActAsSelf = s.cluster.RESTConfig(), true, false, true
	options.MetricsAddress, options.HealthAddress, options.LogOutput = "0", "0", logFile
	e, err := engine.New(ctx, options)
	if err != nil {
		return err
	}
	s.printer.Say("%s the engine runs; its log is %s", s.stamp(), logFile.Name())
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	shown := make(chan error, 1)
	go func() { shown <- s.showBesideProvider(ctx, docs) }()
	var first error
	select {
	case first = <-ended:
		if first == nil && ctx.Err() == nil {
			first = errors.New("the engine has stopped")
		}
		cancel()
		return errors.Join(first, ignoreCancelled(<-shown))
	case first = <-shown:
	case failure := <-s.cluster.Failed():
		first = failure
	case failure := <-s.providerFailed():
		first = fmt.Errorf("the provider's cluster: %w", failure)
	}
	cancel()
	return errors.Join(ignoreCancelled(first), <-ended)
}

func ignoreCancelled(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
