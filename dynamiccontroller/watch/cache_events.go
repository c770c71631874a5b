package watch

// changed takes a change of the store: an answer that it has caught up with is not needed any more.
func (c *Cache) changed(change Change) {
	switch {
	case change.New == nil:
		c.overlay.gone(change.Old)
	case !change.Resync:
		change.Echo = c.overlay.see(change.New)
	}
	c.tell(change)
}

func (c *Cache) tell(change Change) {
	if c.cfg.Changed != nil {
		c.cfg.Changed(change)
	}
}
