package instance

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/deepequal"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// memory is what is kept of an instance between passes. Losing it costs time or a request, never an object. It is used
// by one pass at a time.
type memory struct {
	uid      types.UID
	memo     *runtime.Memo
	accepted map[types.UID][]string // fields of a child that admission changed in our own write, sorted
	setbacks map[plan.Key]setback
	repairs  map[plan.Key][]time.Time // when a change of somebody else was undone, of late
	removed  map[types.UID]removal    // children that were deleted by us, until the cache has noticed
	wants    []plan.Want              // externals of the last pass
	denials  int                      // times in a row that reads were denied
	askAgain time.Time                // when denied reads are worth another pass
	seen     inventory                // of children that the caches have shown since the engine started
	doubtful time.Time                // when it last could not be told whether a write took effect
	strays   time.Time                // when objects that look like children were last told of
	misspelt []string                 // what was told of annotations that mean nothing
	unsynced time.Time                // since when a cache has not been complete; zero: it is
	wave     []plan.Key               // the present wave of the deletion
	wanted   map[string]any           // the status that was written last, where the server made another one of it
	stored   map[string]any           // what the server made of it

	waveStart time.Time // of wave; zero: none
	isLetGo   bool      // the finalizer is off, as the cache is about to show
	state     InstanceState
	graph     *graph.Graph // of the last pass; nil: nothing was evaluated
}

// removal is a deletion of ours.
type removal struct {
	at   time.Time
	gone bool // the server's answer showed that the child is not there any more
}

// setback is a write that did not succeed and is left alone for a while, unless what is wanted or what is there
// changes.
type setback struct {
	attempt attempt
	fault   plan.Fault
	tries   int
	until   time.Time
}

// attempt tells writes apart: a repeated one would give the same answer.
type attempt struct {
	hash    string // of the wanted object
	version string // resource version of the live object; empty: none
}

func attemptOf(owner apply.Owner, obj plan.Object, live map[string]any) attempt {
	return attempt{hash: owner.HashOf(obj), version: resourceVersion(live)}
}

func newMemory(uid types.UID) *memory {
	return &memory{
		uid: uid, accepted: map[types.UID][]string{}, setbacks: map[plan.Key]setback{},
		repairs: map[plan.Key][]time.Time{}, removed: map[types.UID]removal{},
	}
}

// noteStored keeps what the server made of a status, where that is another one.
func (m *memory) noteStored(wanted, stored map[string]any) {
	m.wanted, m.stored = nil, nil
	if !deepequal.Values(wanted, stored) {
		m.wanted, m.stored = wanted, stored
	}
}

// isKnown tells whether the server has made just this of just that status before.
func (m *memory) isKnown(wanted, stored map[string]any) bool {
	return m.wanted != nil && deepequal.Values(stored, m.stored) && deepequal.Values(wanted, m.wanted)
}

// forget drops what a full pass must find out anew.
func (m *memory) forget() {
	m.memo = nil
	m.accepted, m.setbacks = map[types.UID][]string{}, map[plan.Key]setback{}
	m.repairs = map[plan.Key][]time.Time{}
}

// memories holds the memory of each instance. Safe for concurrent use.
type memories struct {
	mu  sync.Mutex
	all map[types.NamespacedName]*memory
}

// of gives the memory of an instance; one of another UID is another instance's.
func (m *memories) of(key types.NamespacedName, uid types.UID) *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	if have, ok := m.all[key]; ok && have.uid == uid {
		return have
	}
	fresh := newMemory(uid)
	m.all[key] = fresh
	return fresh
}

func (m *memories) drop(key types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, key)
}

// setState keeps the outcome of a pass where State can read it.
func (m *memories) setState(mem *memory, s InstanceState, g *graph.Graph) {
	m.mu.Lock()
	defer m.mu.Unlock()
	mem.state, mem.graph = s, g
}

// graph gives what the last pass of an instance ran on; nil: nothing.
func (m *memories) graph(key types.NamespacedName) *graph.Graph {
	m.mu.Lock()
	defer m.mu.Unlock()
	if have, ok := m.all[key]; ok {
		return have.graph
	}
	return nil
}

func (m *memories) state(key types.NamespacedName) (InstanceState, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	have, ok := m.all[key]
	if !ok {
		return InstanceState{}, false
	}
	return have.state, true
}
