package identity_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/cmd/plait/engine"
)

// patience is how long a test waits; a right that was granted is noticed after 30 seconds at the latest.
const patience = 90 * time.Second

var (
	shared  *cluster.Cluster // of all tests
	running *process         // the engine of all tests, but for those that replace it
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	shared, err = cluster.Start(context.Background(), cluster.Config{ControllerManager: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := runWithEngine(m)
	if err := shared.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func runWithEngine(m *testing.M) int {
	err := prepare()
	if err == nil {
		running, err = startEngine(func(*engine.Options) {})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := running.stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// engineUser is who the engine is: a user with the rights that docs/service-accounts.md asks for.
const engineUser = "plait-engine"

// process is an engine that runs.
type process struct {
	metrics string // address of /metrics
	cancel  context.CancelFunc
	ended   chan error
}

func startEngine(change func(*engine.Options)) (*process, error) {
	rc, err := shared.RESTConfigFor(engineUser)
	if err != nil {
		return nil, err
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	options := engine.Defaults()
	options.RESTConfig, options.InstallCRDs, options.LogOutput = rest.CopyConfig(rc), true, io.Discard
	options.MetricsAddress, options.HealthAddress = address, "0"
	change(&options)
	e, err := engine.New(context.Background(), options)
	if err != nil {
		return nil, fmt.Errorf("making the engine: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &process{metrics: "http://" + address + "/metrics", cancel: cancel, ended: make(chan error, 1)}
	go func() { p.ended <- e.Run(ctx) }()
	return p, nil
}

func (p *process) stop() error {
	p.cancel()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(patience):
		return errors.New("the engine does not stop")
	}
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("finding a port: %w", err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}

// withEngine replaces the engine until the end of the test.
func withEngine(t *testing.T, change func(*engine.Options)) {
	t.Helper()
	replace := func(change func(*engine.Options)) {
		t.Helper()
		if err := running.stop(); err != nil {
			t.Fatal(err)
		}
		var err error
		if running, err = startEngine(change); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { replace(func(*engine.Options) {}) })
	replace(change)
}
