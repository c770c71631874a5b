package mounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/dynamiccontroller/discovery"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/mounts/contract"
)

// Kinds tells how kinds are addressed; discovery does.
type Kinds interface {
	// Mapping tells it; ok is false when the kind certainly is not served, and an error means that it cannot be told now.
	Mapping(gvk schema.GroupVersionKind) (m discovery.Mapping, ok bool, err error)
}

// Instances are the live copies of the kinds that graphs serve; the dynamic controller has them.
type Instances interface {
	// Instance gives one from the copy; it is shared and never changed.
	Instance(resource schema.GroupVersionResource, key types.NamespacedName) (*unstructured.Unstructured, bool)
	// State tells whether the copy of a kind is complete; if not, why: dynamiccontroller.ErrNotRegistered for a kind that
	// no graph serves.
	State(resource schema.GroupVersionResource) (complete bool, why error)
}

// Accounts tell what service accounts may do.
type Accounts interface {
	// May tells it; an error means that it cannot be told now.
	May(ctx context.Context, id identity.Identity, req identity.Request) (allowed bool, reason string, err error)
	// Forget drops what is known, so that it is asked again.
	Forget(id identity.Identity)
}

// Owners tell what those may do whom kcp records as owners.
type Owners interface {
	// SubjectMay tells it; an error means that it cannot be told now.
	SubjectMay(ctx context.Context, s identity.Subject, req identity.Request) (allowed bool, reason string, err error)
	// ForgetSubject drops what is known, so that it is asked again.
	ForgetSubject(s identity.Subject)
}

// Recorder takes events.
type Recorder interface {
	// Eventf records one.
	Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any)
}

// Config is what a Controller needs. Client, Kinds, Accounts, Owners and Recorder are required.
type Config struct {
	Client   dynamic.Interface // the engine's own
	Kinds    Kinds
	Accounts Accounts
	Owners   Owners
	Recorder Recorder
	Log      logr.Logger

	// Instances are copies that exist already; nil: there are none.
	Instances Instances

	// APIs are those whose Workspaces are served; empty means Plait's own.
	APIs []contract.API

	Policy   Policy
	Settings identity.Settings // whose accounts may be named, and whether none need be

	// WatchNamespaces limits mount objects; empty means no limit.
	WatchNamespaces []string

	// IsNamespaced tells the scope of a resource; needed only with WatchNamespaces. Nil: all are namespaced.
	IsNamespaced func(schema.GroupVersionResource) bool

	// Resync is the time between reminders of every Workspace; zero means 10 hours.
	Resync time.Duration

	// Metrics takes the controller's metrics; nil means none.
	Metrics prometheus.Registerer

	// Now tells the time; nil means time.Now.
	Now func() time.Time
}

// complete fills in defaults and names all faults at once.
func (c *Config) complete() error {
	var faults []error
	for _, part := range []struct {
		missing bool
		what    string
	}{
		{c.Client == nil, "a client"}, {c.Kinds == nil, "somebody who knows kinds"}, {c.Accounts == nil, "somebody who knows rights of accounts"},
		{c.Owners == nil, "somebody who knows rights of owners"},
		{c.Recorder == nil, "a recorder of events"},
	} {
		if part.missing {
			faults = append(faults, fmt.Errorf("the controller of Workspaces needs %s", part.what))
		}
	}
	if c.Resync < 0 {
		faults = append(faults, errors.New("the time between reminders of Workspaces must not be negative"))
	}
	if c.Resync == 0 {
		c.Resync = 10 * time.Hour
	}
	if len(c.APIs) == 0 {
		c.APIs = []contract.API{contract.Plait}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return errors.Join(append(faults, c.Policy.URL.Faults()...)...)
}
