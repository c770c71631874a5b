package dynamiccontroller

import "sync"

// tenants counts instances by namespace; "" is for those that are cluster-scoped. Safe for concurrent use.
type tenants struct {
	mu     sync.Mutex
	counts map[string]int
}

// add tells whether the namespace has no instance any more.
func (t *tenants) add(namespace string, n int) (emptied bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	t.counts[namespace] += n
	if t.counts[namespace] > 0 {
		return false
	}
	delete(t.counts, namespace)
	return true
}

func (t *tenants) has(namespace string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[namespace] > 0
}

// HasInstances tells whether a namespace has instances of any kind; "" asks for those that are cluster-scoped.
func (c *Controller) HasInstances(namespace string) bool { return c.tenants.has(namespace) }

// count keeps the number of instances of a namespace, and tells when the last one is gone.
func (c *Controller) count(namespace string, n int) {
	if c.tenants.add(namespace, n) && c.cfg.Emptied != nil {
		c.cfg.Emptied()
	}
}
