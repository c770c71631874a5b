package sync

import (
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/events"

	"github.com/plait-run/plait/connection/sync/mirror"
)

// Mode is what a syncer does with the objects of its API.
type Mode int

// The modes.
const (
	Copying   Mode = iota // spec up, status down
	Holding               // nothing new goes up; status comes down, and deletions are carried out
	Removing              // copies are deleted, then the objects are let go
	Releasing             // the objects are let go, and the provider is not asked
)

// Leaves tells whether the syncer ends when it has done its work.
func (m Mode) Leaves() bool { return m == Removing || m == Releasing }

// Binding is the object that a task is for.
type Binding struct {
	Namespace string // empty: a ClusterBinding
	Name      string
}

// Key names one task.
type Key struct {
	Binding Binding
	API     string // resource.group
}

// Task says what one syncer does.
type Task struct {
	Key
	UID           types.UID // of the binding
	Connection    string
	Resource      schema.GroupVersionResource
	Kind          string
	Mode          Mode
	HasStatus     bool // the kind has the subresource status
	HasConditions bool // its status can hold conditions
	Carry         mirror.Carry
	Adopt         bool     // take over what nobody owns
	Prefix        string   // of namespaces at the provider
	Kept          []string // namespaces whose objects another binding sees to; sorted
	Related       *Related // the task is about what travels with objects; nil: about objects
}

// Remote is one verified way to a provider.
type Remote struct {
	UID      types.UID // of the provider cluster
	LocalUID types.UID // of this cluster
	Hash     string    // of the credentials
	Dynamic  dynamic.Interface
	// Discovery tells what a namespace can hold; nil: the namespaces that were made for copies are never removed.
	Discovery discovery.ServerResourcesInterface
	Done      <-chan struct{} // closed when it may not be used any more
}

// IsUsable tells whether there is a way, and it may be used still.
func (r Remote) IsUsable() bool {
	if r.Dynamic == nil {
		return false
	}
	select {
	case <-r.Done:
		return false
	default:
		return true
	}
}

// Config is what all syncers share. Only Consumer is needed.
type Config struct {
	Consumer dynamic.Interface
	Log      logr.Logger
	Recorder events.EventRecorder // nil: no events
	Metrics  *Metrics             // nil: not measured
	Now      func() time.Time
	// Changed is told of a binding whose Report has changed. It must return at once.
	Changed func(Binding)
	Workers int           // of each syncer; zero: 4
	Grace   time.Duration // after which the copy of an object that has vanished is deleted; zero: one minute
}

func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Changed == nil {
		c.Changed = func(Binding) {}
	}
	if c.Metrics == nil {
		c.Metrics = NewMetrics()
	}
	if c.Workers == 0 {
		c.Workers = 4
	}
	if c.Grace == 0 {
		c.Grace = time.Minute
	}
	return c
}
