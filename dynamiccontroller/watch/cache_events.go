package watch

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"
)

func (c *Cache) added(obj any, isInInitialList bool) {
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return
	}
	c.tell(Change{New: u, Initial: isInInitialList, Echo: c.overlay.see(u)})
}

func (c *Cache) updated(before, now any) {
	was, ok := before.(*unstructured.Unstructured)
	if !ok {
		return
	}
	is, ok := now.(*unstructured.Unstructured)
	if !ok {
		return
	}
	if was.GetUID() != is.GetUID() {
		c.deleted(was)
		c.added(is, false)
		return
	}
	if was.GetResourceVersion() == is.GetResourceVersion() {
		c.tell(Change{Old: was, New: is, Resync: true})
		return
	}
	c.tell(Change{Old: was, New: is, Echo: c.overlay.see(is)})
}

func (c *Cache) deleted(obj any) {
	if missed, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = missed.Obj
	}
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return
	}
	c.overlay.gone(u)
	c.tell(Change{Old: u})
}

func (c *Cache) tell(change Change) {
	if c.cfg.Changed != nil {
		c.cfg.Changed(change)
	}
}
