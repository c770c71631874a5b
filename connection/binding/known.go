package binding

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// known keeps what the API server answered to our last write of each binding, until the cache is as new, and which
// Connection each is for. Safe for concurrent use.
type known struct {
	mu          sync.Mutex
	answers     map[types.NamespacedName]*subject
	connections map[types.NamespacedName]string
	seen        map[types.NamespacedName]types.UID // on the API server itself
}

func newKnown() *known {
	return &known{answers: map[types.NamespacedName]*subject{}, connections: map[types.NamespacedName]string{}, seen: map[types.NamespacedName]types.UID{}}
}

// using gives the bindings of a Connection that have been looked at, in no order.
func (k *known) using(connection string) []types.NamespacedName {
	k.mu.Lock()
	defer k.mu.Unlock()
	var out []types.NamespacedName
	for name, of := range k.connections {
		if of == connection {
			out = append(out, name)
		}
	}
	return out
}

// wrote keeps an answer, and gives it.
func (k *known) wrote(name types.NamespacedName, answer *subject) *subject {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.answers[name], k.seen[name] = answer, answer.object.GetUID()
	return answer
}

// has tells whether the API server itself has shown a binding to this process.
func (k *known) has(name types.NamespacedName, binding *subject) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.seen[name] == binding.object.GetUID()
}

// newest gives the newer one of the answer and what the cache has.
func (k *known) newest(name types.NamespacedName, cached *subject) *subject {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.connections[name] = cached.spec.ConnectionRef.Name
	answer, ok := k.answers[name]
	if !ok {
		return cached
	}
	order, err := resourceversion.CompareResourceVersion(answer.object.GetResourceVersion(), cached.object.GetResourceVersion())
	if err != nil || order <= 0 || answer.object.GetUID() != cached.object.GetUID() {
		delete(k.answers, name)
		return cached
	}
	return answer
}

func (k *known) forget(name types.NamespacedName) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.answers, name)
	delete(k.connections, name)
	delete(k.seen, name)
}
