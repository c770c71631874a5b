package watch

import (
	"errors"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/dynamiccontroller/track"
)

// Config is what a Watcher needs.
type Config struct {
	Client dynamic.Interface
	Log    logr.Logger

	// Enqueue is told whose reading changed. It must return at once.
	Enqueue func(track.Owner)

	// Observe takes the changes of externals in the place of Enqueue, which is then told only that a list can be read. It
	// must return at once. Nil: nobody takes them.
	Observe func(schema.GroupVersionResource, Change)

	// Failed is told that a list cannot be had from now on, or is refused from now on, and why. It must return at once.
	// Nil: nobody is.
	Failed func(schema.GroupVersionResource, error)

	// StatusOnly drops from externals what is neither metadata nor status.
	StatusOnly bool

	// Passes holds back events of children while their instance is being worked on; nil: they are never held back.
	Passes *track.Passes

	// Served gives the resource that serves a kind of instances. Children whose UID label is of an unknown instance are
	// mapped by their annotation through it. Nil: they are nobody's.
	Served func(schema.GroupKind) (schema.GroupVersionResource, bool)

	// IsRelevant tells whether a change of a child matters to its instance; nil: every change does.
	IsRelevant func(owner track.Owner, old, now *unstructured.Unstructured) bool

	// Namespaces limits what is watched of children and of externals in all namespaces; empty: no limit.
	Namespaces []string

	// IsNamespaced tells the scope of a resource; it matters only with Namespaces. Nil: all resources are namespaced.
	IsNamespaced func(schema.GroupVersionResource) bool

	// Linger is how long a cache that nobody wants is kept; zero means a minute.
	Linger time.Duration
}

const defaultLinger = time.Minute

func (c *Config) complete() error {
	var faults []error
	if c.Client == nil {
		faults = append(faults, errors.New("a watcher needs a client"))
	}
	if c.Enqueue == nil {
		faults = append(faults, errors.New("a watcher needs somebody to tell of changes"))
	}
	if c.Linger < 0 {
		faults = append(faults, errors.New("the time that caches are kept must not be negative"))
	}
	if c.Linger == 0 {
		c.Linger = defaultLinger
	}
	if c.Passes == nil {
		c.Passes = track.NewPasses()
	}
	if c.IsNamespaced == nil {
		c.IsNamespaced = func(schema.GroupVersionResource) bool { return true }
	}
	return errors.Join(faults...)
}

// expand cuts a scope that spans all namespaces to those that are watched.
func (c *Config) expand(s track.Scope) []track.Scope {
	if s.Namespace != "" || len(c.Namespaces) == 0 || !c.IsNamespaced(s.Resource) {
		return []track.Scope{s}
	}
	out := make([]track.Scope, 0, len(c.Namespaces))
	for _, namespace := range c.Namespaces {
		s.Namespace = namespace
		out = append(out, s)
	}
	return out
}
