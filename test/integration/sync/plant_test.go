package sync_test

import (
	"context"
	"net/http"
	"slices"
	gosync "sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/plait-run/plait/connection/binding"
	"github.com/plait-run/plait/connection/sync"
	"github.com/plait-run/plait/test/world"
)

const localUID = "c0ffee00-0000-4000-8000-000000000001"

// grace is how long the copy of an object that has vanished is kept.
const grace = 300 * time.Millisecond

// ways are the verified ways to providers, as the Connection controller would keep them.
type ways struct {
	local     types.UID // of this cluster
	mu        gosync.Mutex
	remotes   map[string]sync.Remote
	close     map[string]func()
	listeners []func(string)
}

func newWays() *ways {
	return &ways{local: localUID, remotes: map[string]sync.Remote{}, close: map[string]func(){}}
}

func (w *ways) Remote(connection string) (sync.Remote, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	remote, ok := w.remotes[connection]
	return remote, ok
}

func (w *ways) OnChange(f func(string)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listeners = append(w.listeners, f)
}

// open makes a way, in the place of one that there is.
func (w *ways) open(t *testing.T, connection string, config *rest.Config) {
	t.Helper()
	client, err := dynamic.NewForConfig(agent(config))
	if err != nil {
		t.Fatal(err)
	}
	known, err := discovery.NewDiscoveryClientForConfig(agent(config))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	w.set(connection, func() {
		w.remotes[connection] = sync.Remote{UID: types.UID(connection), LocalUID: w.local, Hash: "1", Dynamic: client, Discovery: known, Done: done}
		w.close[connection] = gosync.OnceFunc(func() { close(done) })
	})
}

// shut leaves a Connection without a way.
func (w *ways) shut(connection string) {
	w.set(connection, func() { delete(w.remotes, connection) })
}

func (w *ways) set(connection string, change func()) {
	w.mu.Lock()
	if end := w.close[connection]; end != nil {
		end()
	}
	change()
	listeners := slices.Clone(w.listeners)
	w.mu.Unlock()
	for _, tell := range listeners {
		tell(connection)
	}
}

// agent is how the ledger of requests knows us.
func agent(config *rest.Config) *rest.Config {
	out := rest.CopyConfig(config)
	out.UserAgent, out.QPS = "plait", -1
	return out
}

// plant is what an engine runs for bindings.
type plant struct {
	ways *ways
	stop func()
}

// run starts one over the ways, until the end of the test or stop.
func run(t *testing.T, w *ways, wraps ...func(http.RoundTripper) http.RoundTripper) *plant {
	t.Helper()
	config := agent(consumer.RESTConfig())
	for _, wrap := range wraps {
		config.Wrap(wrap)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	mgr, err := manager.New(config, manager.Options{Logger: logr.Discard(), Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	recorder := mgr.GetEventRecorder("plait")
	waker := &binding.Waker{}
	supervisor := sync.NewSupervisor(sync.Config{
		Consumer: client, Log: logr.Discard(), Recorder: recorder, Changed: waker.Wake, Grace: grace,
	})
	if err := mgr.Add(supervisor); err != nil {
		t.Fatal(err)
	}
	if _, err := binding.SetupWithManager(mgr, binding.Deps{Providers: w, Syncers: supervisor, Recorder: recorder}, waker); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	p := &plant{ways: w, stop: gosync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("running the plant: %v", err)
			}
		case <-time.After(world.Patience):
			t.Error("the plant does not stop")
		}
	})}
	t.Cleanup(p.stop)
	return p
}

var patchOptions = metav1.PatchOptions{FieldManager: "somebody"}

var listAll = metav1.ListOptions{}
