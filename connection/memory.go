package connection

import (
	"maps"
	"slices"
	"sync"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/lease"
	"github.com/plait-run/plait/connection/remote"
	"github.com/plait-run/plait/connection/schema"
)

// memory is what is kept of a Connection between passes. It is used by one pass at a time.
type memory struct {
	uid types.UID

	secret  string // UID and version of the Secret that access and refused are of, and what else they depend on
	access  *remote.Access
	refused error // why there is no access

	catalog    *schema.Catalog
	exports    []schema.Export // as last found with success
	known      bool
	generation int64     // of the spec that they were found for
	foundAt    time.Time // when
	failures   int       // of asking the provider, in a row
	failedAt   time.Time // when the first of them began
	retryAt    time.Time // when it is asked again after a failure

	beat    lease.Beat                                           // zero: none is kept
	foreign map[string]*apiextensionsv1.CustomResourceDefinition // in the way of an export
	idle    map[string]time.Time                                 // since when an installed API has neither user nor object
}

// memories holds the memory of each Connection by name. Safe for concurrent use.
type memories struct {
	mu    sync.Mutex
	all   map[string]*memory
	stale map[string]bool // Connections whose foreign definitions may have changed
}

func newMemories() *memories { return &memories{all: map[string]*memory{}, stale: map[string]bool{}} }

// of gives the memory of a Connection; one of another UID is another Connection.
func (m *memories) of(conn *v1alpha1.Connection) *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	have := m.all[conn.Name]
	if have == nil || have.uid != conn.UID {
		have = &memory{uid: conn.UID, idle: map[string]time.Time{}}
		m.all[conn.Name] = have
	}
	if m.stale[conn.Name] || have.foreign == nil {
		have.foreign = map[string]*apiextensionsv1.CustomResourceDefinition{}
		delete(m.stale, conn.Name)
	}
	return have
}

// drop forgets a Connection.
func (m *memories) drop(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, name)
	delete(m.stale, name)
}

// names gives the Connections that are known, sorted.
func (m *memories) names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.all))
}

// markStale has a Connection look at foreign definitions again.
func (m *memories) markStale(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stale[name] = true
}
