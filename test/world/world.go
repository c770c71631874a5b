package world

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/plait-run/plait/cmd/plait/cluster"
)

// World is a control plane and an administrator.
type World struct {
	*cluster.Cluster

	// Client is the administrator's, without a limit.
	Client dynamic.Interface

	mapper     *restmapper.DeferredDiscoveryRESTMapper
	engineUser string // empty: the administrator

	mu    sync.Mutex
	after []func() error
}

// Start starts a control plane.
func Start(ctx context.Context, config cluster.Config) (*World, error) {
	c, err := cluster.Start(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("starting a control plane: %w", err)
	}
	w := &World{Cluster: c}
	if err := w.connect(); err != nil {
		return nil, errors.Join(err, w.Stop())
	}
	return w, nil
}

func (w *World) connect() error {
	var err error
	if w.Client, err = dynamic.NewForConfig(w.RESTConfig()); err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	known, err := discovery.NewDiscoveryClientForConfig(w.RESTConfig())
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	w.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known))
	return nil
}

// BeforeStop has something done before the control plane stops; what was added last is done first.
func (w *World) BeforeStop(do func() error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.after = append(w.after, do)
}

// Stop ends what runs in this world and then the control plane.
func (w *World) Stop() error {
	w.mu.Lock()
	after := w.after
	w.after = nil
	w.mu.Unlock()
	var errs []error
	for _, do := range slices.Backward(after) {
		errs = append(errs, do())
	}
	return errors.Join(append(errs, w.Cluster.Stop())...)
}

// Part is a world that a package's tests share.
type Part struct {
	Into    **World
	Config  cluster.Config
	Prepare func(context.Context, *World) error // nil: nothing is to do
}

// Run is the body of TestMain: it starts the parts at the same time, prepares them in order, runs the tests and stops the
// parts. It gives the exit status.
func Run(m *testing.M, parts ...Part) int {
	ctrllog.SetLogger(logr.Discard())
	code, err := run(m, parts)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func run(m *testing.M, parts []Part) (code int, err error) {
	defer func() {
		for _, p := range slices.Backward(parts) {
			if *p.Into != nil {
				err = errors.Join(err, (*p.Into).Stop())
			}
		}
	}()
	errs := make([]error, len(parts))
	var group sync.WaitGroup
	for i, p := range parts {
		group.Go(func() { *p.Into, errs[i] = Start(context.Background(), p.Config) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return 1, err
	}
	for _, p := range parts {
		if p.Prepare == nil {
			continue
		}
		if err := p.Prepare(context.Background(), *p.Into); err != nil {
			return 1, fmt.Errorf("preparing the tests: %w", err)
		}
	}
	return m.Run(), nil
}

// New starts a control plane that a test has for itself.
func New(t testing.TB, config cluster.Config) *World {
	t.Helper()
	w, err := Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Stop(); err != nil {
			t.Error(err)
		}
	})
	return w
}
