package runtime

import (
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/runtime/plan"
)

// Input is everything that an evaluation depends on.
type Input struct {
	Graph    *graph.Graph
	Instance map[string]any // defaulted, as the cluster holds it; never changed
	Observed Observed
	Memo     *Memo // of the last evaluation of the same instance; nil is legal and slower
	Limits   Limits
	// IsCurrent tells whether the live object already is what the plan wants (the skip decision). It must answer
	// the same while the live object's resourceVersion and the wanted object stay the same. Nil means that it is.
	IsCurrent func(wanted plan.Object, live map[string]any) bool
}

// Observed is what is known of the cluster.
type Observed struct {
	Children  map[plan.Key]map[string]any // live objects of ours
	Externals map[plan.Want]Reading       // a want that is not in it was not read yet: its node waits, and Plan.Wants names it
	Faults    map[plan.Key]plan.Fault     // writes of wanted objects that failed in this pass
	Denied    map[plan.Key]string         // children whose live state the identity may not read, and why; see Plan.Reads
}

// Reading is what a read of externals gave.
type Reading struct {
	Objects []map[string]any // sorted by namespace and name; at most one for a want with a name
	Synced  bool             // false: cannot be told yet; everything that reads it waits
	Denied  string           // why the identity may not read it; the reading nodes fail with it
}

// Limits bound an evaluation; zero means the default.
type Limits struct {
	Expression      expr.Limits
	CollectionItems int // of one forEach; 1000
	Iterators       int // of one forEach; 10
	ObjectBytes     int // of one rendered object; 1 MiB
	Children        int // objects of one instance; 10,000
}

func (l Limits) withDefaults() Limits {
	if l.CollectionItems == 0 {
		l.CollectionItems = 1000
	}
	if l.Iterators == 0 {
		l.Iterators = 10
	}
	if l.ObjectBytes == 0 {
		l.ObjectBytes = 1 << 20
	}
	if l.Children == 0 {
		l.Children = 10_000
	}
	return l
}
