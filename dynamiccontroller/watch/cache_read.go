package watch

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Get gives one object.
func (c *Cache) Get(key types.NamespacedName) (*unstructured.Unstructured, bool) {
	answered := c.overlay.get(key)
	stored := c.stored(key)
	switch {
	case stored == nil:
		return answered, answered != nil
	case answered != nil && isNewer(answered, stored):
		return answered, true
	default:
		return stored, true
	}
}

// OfInstance gives the objects that carry an instance's UID, in no order.
func (c *Cache) OfInstance(uid types.UID) []*unstructured.Unstructured {
	isOf := func(u *unstructured.Unstructured) bool { return label(u, v1alpha1.LabelInstanceUID) == string(uid) }
	answers := c.overlay.where(isOf) // before the copy: what leaves in between is in the copy by then
	stored, err := c.store.indexer.ByIndex(byInstance, string(uid))
	if err != nil {
		return answers
	}
	return merge(stored, answers)
}

// Select gives the objects of a namespace, empty for all, that a selector matches, sorted by namespace and name.
func (c *Cache) Select(namespace string, selector labels.Selector) []*unstructured.Unstructured {
	fits := func(u *unstructured.Unstructured) bool {
		return (namespace == "" || u.GetNamespace() == namespace) && selector.Matches(labels.Set(u.GetLabels()))
	}
	answers := c.overlay.where(func(*unstructured.Unstructured) bool { return true })
	out := merge(c.store.indexer.List(), answers)
	out = slices.DeleteFunc(out, func(u *unstructured.Unstructured) bool { return !fits(u) })
	sortObjects(out)
	return out
}

// Len is the number of objects.
func (c *Cache) Len() int { return len(c.store.indexer.ListKeys()) }

// merge puts newer answers in the place of what is stored.
func merge(stored []any, answers []*unstructured.Unstructured) []*unstructured.Unstructured {
	out := make([]*unstructured.Unstructured, 0, len(stored)+len(answers))
	byKey := make(map[types.NamespacedName]*unstructured.Unstructured, len(answers))
	for _, a := range answers {
		byKey[keyOf(a)] = a
	}
	for _, s := range stored {
		u, ok := s.(*unstructured.Unstructured)
		if !ok {
			continue
		}
		if len(byKey) > 0 {
			u = newest(byKey, u)
		}
		out = append(out, u)
	}
	for _, a := range byKey {
		out = append(out, a)
	}
	return out
}

// newest takes the answer for u's name out of the map, and gives the newer of both.
func newest(answers map[types.NamespacedName]*unstructured.Unstructured, u *unstructured.Unstructured) *unstructured.Unstructured {
	key := keyOf(u)
	a, ok := answers[key]
	if !ok {
		return u
	}
	delete(answers, key)
	if isNewer(a, u) {
		return a
	}
	return u
}

// sortObjects sorts by namespace and name. Names are looked up once for each object, not for each comparison.
func sortObjects(objs []*unstructured.Unstructured) {
	type named struct {
		namespace, name string
		object          *unstructured.Unstructured
	}
	all := make([]named, len(objs))
	for i, u := range objs {
		all[i] = named{u.GetNamespace(), u.GetName(), u}
	}
	slices.SortFunc(all, func(a, b named) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
	})
	for i := range all {
		objs[i] = all[i].object
	}
}
