package sync_test

import (
	"errors"
	"fmt"
	"net/http"
	gosync "sync"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/test/world"
)

// breaker lets so many writes of an engine through; at the next one the engine is dead: nothing of it reaches a server any
// more. With after the fatal write takes effect, and its answer is lost.
type breaker struct {
	mu    gosync.Mutex
	left  int
	after bool
	dead  bool
}

var errDead = errors.New("the engine is dead")

type breaking struct {
	*breaker
	next http.RoundTripper
}

func (b breaking) RoundTrip(r *http.Request) (*http.Response, error) {
	isWrite := r.Method != http.MethodGet
	b.mu.Lock()
	if b.dead {
		b.mu.Unlock()
		return nil, errDead
	}
	isFatal := isWrite && b.left == 0
	if isWrite {
		b.left--
	}
	b.dead = isFatal
	after := b.after
	b.mu.Unlock()
	if isFatal && !after {
		return nil, errDead
	}
	response, err := b.next.RoundTrip(r)
	if isFatal {
		if err == nil {
			_ = response.Body.Close()
		}
		return nil, errDead
	}
	return response, err
}

func (b *breaker) wrap(next http.RoundTripper) http.RoundTripper { return breaking{b, next} }

func (b *breaker) isDead() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dead
}

// TestCrashes kills the engine just before and just after each of its writes while an object is bound, copied, changed and
// deleted, and has another one go on. The end is always the same, and nothing is left.
func TestCrashes(t *testing.T) {
	o := newOffer(t)
	here, there := o.space("")
	for point := 0; ; point++ {
		isReached := false
		for _, after := range []bool{false, true} {
			name := fmt.Sprintf("p%d-%v", point, after)
			b := &breaker{left: point, after: after}
			w := newWays()
			broken := rest.CopyConfig(acme.RESTConfig())
			broken.Wrap(b.wrap)
			w.open(t, o.connection(), broken)
			first := run(t, w, b.wrap)
			s := o.ask(", deletionPolicy: Delete")
			here.Apply(o.database(name, "{size: 1}"))
			isReached = follow(t, o, there, name, b) || isReached
			first.stop()

			w = newWays()
			w.open(t, o.connection(), acme.RESTConfig())
			second := run(t, w)
			there.WaitFor(o.name, name, specIs("size", int64(1)))
			report(t, there, o.name, name, `{"phase":"Up","observedGeneration":1}`)
			here.WaitStatus(o.name, name, "phase", "Up")
			here.Remove(o.name, name)
			there.WaitGone(o.name, name)
			s.Remove("ClusterBinding", o.connection())
			second.stop()
		}
		if !isReached {
			t.Logf("%d writes were crashed at", point)
			if point < 4 { // finalizer and status of the binding, finalizer of the object, its copy
				t.Errorf("only %d writes were seen", point)
			}
			return
		}
	}
}

// follow waits until the object is copied, or the engine has died before that.
func follow(t *testing.T, o *offer, there *world.Space, name string, b *breaker) (died bool) {
	t.Helper()
	world.Eventually(t, "neither copied nor dead", func() error {
		if died = b.isDead(); died {
			return nil
		}
		_, err := there.Get(o.name, name)
		return err
	})
	return died
}
