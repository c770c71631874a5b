package runtime

import (
	"context"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/runtime/plan"
)

// CONTRACT (skeleton; the owner of runtime moves these into their files and implements them).

// Input is everything that an evaluation depends on.
type Input struct {
	Graph    *graph.Graph
	Instance map[string]any // defaulted, as the cluster holds it
	Observed Observed
	Memo     *Memo // of the last evaluation of the same instance and graph; nil is legal and slower
	Limits   Limits
	// IsCurrent tells whether the live object already is what the plan wants (the skip decision). Nil means that it is.
	IsCurrent func(wanted plan.Object, live map[string]any) bool
}

// Observed is what is known of the cluster.
type Observed struct {
	Children  map[plan.Key]map[string]any // live objects of ours
	Externals map[plan.Want]Reading       // a want that is not in it was not read yet: its node waits, and Plan.Wants names it
	Faults    map[plan.Key]plan.Fault     // writes of wanted objects that failed in this pass
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
	CollectionItems int // 1000
	ObjectBytes     int // 1 MiB rendered
}

// Memo speeds up the next evaluation of the same instance. It holds hashes and verdicts, no objects.
type Memo struct{ placeholder int }

// Evaluate tells what should be. It never fails as a whole: faults are states of nodes. ctx bounds its time.
func Evaluate(ctx context.Context, in Input) (plan.Plan, *Memo) { panic("skeleton") }
