package world

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/plait-run/plait/cmd/plait/engine"
)

// Engine is an engine in this process. There can be one at a time.
type Engine struct {
	world   *World
	changes []func(*engine.Options) // to the usual options
	stop    func() error

	// Metrics is the URL of its metrics.
	Metrics string
}

// StartEngine starts an engine that installs its own definitions and stands for no election. It acts as itself unless it
// has a user of its own (GrantEngine). The changes are made to its
// options last. It is stopped with the world.
func (w *World) StartEngine(ctx context.Context, changes ...func(*engine.Options)) (*Engine, error) {
	e := &Engine{world: w, changes: changes}
	if err := e.start(ctx); err != nil {
		return nil, err
	}
	w.BeforeStop(e.Stop)
	return e, nil
}

// RunEngine runs an engine until the end of the test, or until it is stopped.
func (w *World) RunEngine(t testing.TB, changes ...func(*engine.Options)) *Engine {
	t.Helper()
	e, err := w.StartEngine(t.Context(), changes...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func (e *Engine) start(ctx context.Context) error {
	options, err := e.world.engineOptions()
	if err != nil {
		return err
	}
	for _, change := range e.changes {
		change(&options)
	}
	made, err := engine.New(ctx, options)
	if err != nil {
		return fmt.Errorf("making the engine: %w", err)
	}
	e.Metrics = "http://" + options.MetricsAddress + "/metrics"
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- made.Run(ctx) }()
	e.stop = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-ended:
			return err
		case <-time.After(Patience):
			return errors.New("the engine does not stop")
		}
	})
	return nil
}

func (w *World) engineOptions() (engine.Options, error) {
	options := engine.Defaults()
	options.InstallCRDs, options.LeaderElect, options.AllowCRDDeletion = true, false, true
	options.HealthAddress, options.LogOutput = "0", io.Discard
	options.RESTConfig, options.ActAsSelf = w.RESTConfig(), true
	var err error
	if w.engineUser != "" {
		options.ActAsSelf = false
		if options.RESTConfig, err = w.RESTConfigFor(w.engineUser); err != nil {
			return options, fmt.Errorf("making the engine's certificate: %w", err)
		}
	}
	options.RESTConfig.UserAgent = engineAgent
	options.MetricsAddress, err = FreeAddress()
	return options, err
}

// Stop stops the engine. A second call gives the answer of the first.
func (e *Engine) Stop() error { return e.stop() }

// MustStop stops the engine in the middle of a test.
func (e *Engine) MustStop(t testing.TB) {
	t.Helper()
	if err := e.Stop(); err != nil {
		t.Fatalf("stopping the engine: %v", err)
	}
}

// Replace makes further changes to the options, on top of those that there are, until the end of the test.
func (e *Engine) Replace(t testing.TB, changes ...func(*engine.Options)) {
	t.Helper()
	before := e.changes
	restart := func(changes []func(*engine.Options)) {
		t.Helper()
		e.MustStop(t)
		e.changes = changes
		if err := e.start(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { restart(before) })
	restart(slices.Concat(before, changes))
}

// Scrape gives the engine's metrics in text.
func (e *Engine) Scrape(t testing.TB) string {
	t.Helper()
	response, err := http.Get(e.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("scraping: %s, %v", response.Status, err)
	}
	return string(body)
}

// FreeAddress gives a loopback address that nobody uses now.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("finding a port: %w", err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}
