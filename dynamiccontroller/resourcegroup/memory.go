package resourcegroup

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/instance"
	"github.com/plait-run/plait/graph"
)

// memory is what is kept of a group between passes. It is used by one pass at a time, but for what memories guards.
type memory struct {
	uid         types.UID
	terminating atomic.Bool // read by instance controllers
	conflict    atomic.Bool // another definition has the name; read when kinds change

	generation int64                                     // of the group when its spec was hashed
	hash       string                                    // of that spec
	failures   int                                       // attempts in a row that could not tell whether the spec compiles
	compiled   string                                    // hash of the spec that was compiled last; empty: must be compiled
	accepted   *graph.Graph                              // of that spec; nil: not accepted
	problems   string                                    // why not
	definition *apiextensionsv1.CustomResourceDefinition // as we wrote it last, until the cache has seen that; nil: it has
	recovered  bool                                      // revisions were looked through for a good one after the start

	latest     int64  // number of the newest revision; 0: not looked up
	latestHash string // of its spec
	served     int64
	serving    *graph.Graph // nil: nothing is served
	permitted  *graph.Graph // the engine may do all that this one takes; nil: not known
	controller *instance.Controller
	resource   schema.GroupVersionResource // registered; zero: none
	suspended  bool
	wanted     map[string]any // status that was written last or found equal
	stored     map[string]any // what the server made of it
	version    string         // resource version of that
	definedAt  time.Time      // when the definition was made; zero: before the engine started
	countedAt  time.Time      // when status.instances was written
	misspelt   []string       // what was told of annotations that mean nothing
	looks      int            // at a controller that does not run yet
}

// memories holds the memory of each group by name. Safe for concurrent use.
type memories struct {
	mu    sync.Mutex
	all   map[string]*memory
	stale map[string]bool // groups to compile again although their spec is the same
	uses  map[string]map[schema.GroupKind]bool
	kinds map[string]schema.GroupKind // that groups serve, or would
}

func newMemories() *memories {
	return &memories{
		all: map[string]*memory{}, stale: map[string]bool{}, uses: map[string]map[schema.GroupKind]bool{},
		kinds: map[string]schema.GroupKind{},
	}
}

// of gives the memory of a group; one of another UID is another group's, whose registration it takes over.
func (m *memories) of(group *unstructured.Unstructured) *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	have, ok := m.all[group.GetName()]
	if ok && have.uid == group.GetUID() {
		return have
	}
	fresh := &memory{uid: group.GetUID()}
	if ok {
		fresh.resource = have.resource
	}
	m.all[group.GetName()] = fresh
	return fresh
}

// drop forgets a group; it gives what was known of it, nil when nothing was.
func (m *memories) drop(name string) *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	have := m.all[name]
	delete(m.all, name)
	delete(m.stale, name)
	delete(m.uses, name)
	delete(m.kinds, name)
	return have
}

// note keeps which kinds a group's graph uses, installed or not.
func (m *memories) note(name string, g *graph.Graph) {
	uses := map[schema.GroupKind]bool{}
	for _, n := range g.Nodes() {
		if n.Kind != graph.Def {
			uses[n.GVK.GroupKind()] = true
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.uses[name], m.kinds[name] = uses, g.Kind().GroupKind()
}

// noteNamed adds kinds that a group names whose document is not accepted: it may be when one of them changes. Those of its
// last good graph stay.
func (m *memories) noteNamed(name string, kinds map[schema.GroupKind]bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	uses := maps.Clone(kinds)
	maps.Copy(uses, m.uses[name])
	m.uses[name] = uses
}

// markStale makes the groups that use a kind be compiled again. It gives their names, and those of groups whose own kind
// it is and that somebody else's definition stands in the way of. An empty Kind stands for any kind of the group.
func (m *memories) markStale(kind schema.GroupKind) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	is := func(k schema.GroupKind) bool { return k == kind || (kind.Kind == "" && k.Group == kind.Group) }
	var out []string
	for name, uses := range m.uses {
		stale := slices.ContainsFunc(slices.Collect(maps.Keys(uses)), is)
		if stale {
			m.stale[name] = true
		}
		if stale || (is(m.kinds[name]) && m.all[name] != nil && m.all[name].conflict.Load()) {
			out = append(out, name)
		}
	}
	return out
}

// users gives the groups that use a kind, installed or not.
func (m *memories) users(kind schema.GroupKind) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []string
	for name, uses := range m.uses {
		if uses[kind] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// serving gives the groups that serve a kind, or would.
func (m *memories) serving(kind schema.GroupKind) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []string
	for name, serves := range m.kinds {
		if serves == kind {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// takeStale tells whether a group has to be compiled again, once.
func (m *memories) takeStale(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	stale := m.stale[name]
	delete(m.stale, name)
	return stale
}
