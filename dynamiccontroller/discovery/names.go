package discovery

import "sync"

// names is a queue of names without duplicates. Safe for concurrent use.
type names struct {
	ready chan struct{} // of one; there may be names

	mu    sync.Mutex
	order []string
	known map[string]bool
}

func newNames() *names { return &names{ready: make(chan struct{}, 1), known: map[string]bool{}} }

func (n *names) add(name string) {
	n.mu.Lock()
	if !n.known[name] {
		n.known[name] = true
		n.order = append(n.order, name)
	}
	n.mu.Unlock()
	select {
	case n.ready <- struct{}{}:
	default:
	}
}

// take empties the queue.
func (n *names) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := n.order
	n.order, n.known = nil, map[string]bool{}
	return out
}
