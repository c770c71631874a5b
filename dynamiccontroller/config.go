package dynamiccontroller

import (
	"errors"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// Config is what a Controller needs. Only REST is required.
type Config struct {
	REST *rest.Config // the engine's own identity

	// HTTPClient is shared with other clients of the engine; nil makes one of REST.
	HTTPClient *http.Client

	Log logr.Logger

	// Slots is how many instances are reconciled at a time, over all kinds; a kind takes at most three quarters.
	// Zero means 20.
	Slots int

	// Resync is the time between reminders of every instance; zero means 10 hours.
	Resync time.Duration

	// Linger is how long caches are kept that nobody wants any more; zero means a minute.
	Linger time.Duration

	// FirstRetry and LastRetry bound the delay after an error, which doubles, with jitter. Zero means 100 ms and
	// 5 minutes.
	FirstRetry, LastRetry time.Duration

	// WatchNamespaces limits instances, children and externals of all namespaces; empty means no limit.
	WatchNamespaces []string

	// IsNamespaced tells the scope of a resource; needed only with WatchNamespaces. Nil: all are namespaced.
	IsNamespaced func(schema.GroupVersionResource) bool

	// Ended is told when a kind is not served any more, by its name resource.version.group; nil: nobody is.
	Ended func(resource string)

	// Emptied is told when a namespace, or the cluster, has lost its last instance; nil: nobody is. It must return at
	// once.
	Emptied func()

	// Metrics takes the engine's metrics; nil means none.
	Metrics prometheus.Registerer
}

// complete fills in defaults and names all faults at once.
func (c *Config) complete() error {
	var faults []error
	if c.REST == nil {
		faults = append(faults, errors.New("the controller needs the address of an API server"))
	}
	if c.Slots < 0 {
		faults = append(faults, errors.New("the number of instances reconciled at a time must not be negative"))
	}
	if c.Resync < 0 || c.Linger < 0 || c.FirstRetry < 0 || c.LastRetry < 0 {
		faults = append(faults, errors.New("times of the controller must not be negative"))
	}
	c.Slots = or(c.Slots, 20)
	c.Resync = or(c.Resync, 10*time.Hour)
	c.Linger = or(c.Linger, time.Minute)
	c.FirstRetry = or(c.FirstRetry, 100*time.Millisecond)
	c.LastRetry = or(c.LastRetry, 5*time.Minute)
	if c.LastRetry < c.FirstRetry {
		faults = append(faults, errors.New("the last delay after an error must not be shorter than the first"))
	}
	if c.IsNamespaced == nil {
		c.IsNamespaced = func(schema.GroupVersionResource) bool { return true }
	}
	return errors.Join(faults...)
}

func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}
