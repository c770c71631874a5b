package identity

// ReleaseUnused forgets the clients and metrics of accounts whose namespace is not used any more.
func (c *Clients) ReleaseUnused(isUsed func(namespace string) bool) {
	for _, namespace := range c.namespaces() {
		if !isUsed(namespace) {
			c.Release(namespace)
		}
	}
}

// namespaces gives those of the accounts that have acted.
func (c *Clients) namespaces() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := map[string]bool{}
	var out []string
	for id := range c.clients {
		if !id.Self && !known[id.Namespace] {
			known[id.Namespace] = true
			out = append(out, id.Namespace)
		}
	}
	return out
}
