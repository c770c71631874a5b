package watch

import (
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// overlayTime is how long an answer to a write is believed while a watch that is open does not show it: then the object
// is gone and the watch has missed its whole life.
const overlayTime = 10 * time.Second

// overlay holds answers to writes that are newer than the copy. It is nearly always empty. Safe for concurrent use.
type overlay struct {
	mu      sync.Mutex
	answers map[types.NamespacedName]answer
}

// answer is the newest answer for one name, and the versions of those whose events have not been seen.
type answer struct {
	obj    *unstructured.Unstructured
	at     time.Time
	unseen []string
}

func newOverlay() *overlay { return &overlay{answers: map[types.NamespacedName]answer{}} }

// put keeps an answer unless the copy is as new. current reads the copy under the overlay's lock, so that an event in
// between is not missed.
func (o *overlay) put(obj *unstructured.Unstructured, at time.Time, current func(types.NamespacedName) *unstructured.Unstructured) {
	key := keyOf(obj)
	o.mu.Lock()
	defer o.mu.Unlock()
	if have := current(key); have != nil && !isNewer(obj, have) {
		return
	}
	had, ok := o.answers[key]
	unseen := append(had.unseen, obj.GetResourceVersion())
	if ok && !isNewer(obj, had.obj) {
		obj = had.obj
	}
	o.answers[key] = answer{obj: obj, at: at, unseen: unseen}
}

// see takes an event of the watch; it tells whether it shows exactly what a write came to. An event of somebody else
// between two writes is none, though its effect is in the later answer.
func (o *overlay) see(obj *unstructured.Unstructured) (echo bool) {
	key := keyOf(obj)
	o.mu.Lock()
	defer o.mu.Unlock()
	had, ok := o.answers[key]
	if !ok {
		return false
	}
	i := slices.Index(had.unseen, obj.GetResourceVersion())
	if !isNewer(had.obj, obj) {
		delete(o.answers, key)
		return i >= 0
	}
	if i >= 0 {
		had.unseen = slices.Delete(had.unseen, i, i+1)
		o.answers[key] = had
	}
	return i >= 0
}

// gone takes a deletion. An answer that is newer than it belongs to an object of the same name made since.
func (o *overlay) gone(obj *unstructured.Unstructured) {
	key := keyOf(obj)
	o.mu.Lock()
	defer o.mu.Unlock()
	if had, ok := o.answers[key]; ok && (had.obj.GetUID() == obj.GetUID() || !isNewer(had.obj, obj)) {
		delete(o.answers, key)
	}
}

// expire drops and gives the answers older than overlayTime, and tells when the next one will be; zero: none is left.
func (o *overlay) expire(now time.Time) (dropped []*unstructured.Unstructured, next time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for key, a := range o.answers {
		due := a.at.Add(overlayTime)
		switch {
		case !due.After(now):
			dropped = append(dropped, a.obj)
			delete(o.answers, key)
		case next.IsZero() || due.Before(next):
			next = due
		}
	}
	return dropped, next
}

func (o *overlay) get(key types.NamespacedName) *unstructured.Unstructured {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.answers[key].obj
}

// where gives the answers that fit, in no order.
func (o *overlay) where(fits func(*unstructured.Unstructured) bool) []*unstructured.Unstructured {
	o.mu.Lock()
	defer o.mu.Unlock()
	var out []*unstructured.Unstructured
	for _, a := range o.answers {
		if fits(a.obj) {
			out = append(out, a.obj)
		}
	}
	return out
}

// isNewer tells whether a is a later state than b. Versions that are no numbers are later when they differ.
func isNewer(a, b *unstructured.Unstructured) bool {
	order, err := resourceversion.CompareResourceVersion(a.GetResourceVersion(), b.GetResourceVersion())
	if err != nil {
		return a.GetResourceVersion() != b.GetResourceVersion()
	}
	return order > 0
}

func keyOf(obj *unstructured.Unstructured) types.NamespacedName {
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}
