package compile

import (
	"context"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

// pass is one stage of the compiler.
type pass struct {
	name string
	run  func(*state)
}

// passes in the order in which they run.
var passes = []pass{
	{"ids", checkIDs},
	{"schema", buildInstanceSchema},
	{"kinds", resolveKinds},
	{"scan", scanBodies},
	{"scope", buildScope},
	{"expressions", compileExpressions},
	{"fit", checkFit},
	{"literals", checkLiterals},
	{"identity", checkIdentity},
	{"externals", checkExternals},
	{"references", findNeeds},
	{"order", orderNodes},
	{"duplicates", checkSameObject},
	{"readiness", checkReadiness},
	{"lifecycle", checkLifecycle},
	{"status", compileStatus},
	{"api", buildAPI},
}

// Compile makes a graph of one document. The graph is nil when a diagnostic is an error. The error is for what
// cannot be told now: a resolver that fails, or a context that has ended; the document may be fine then.
func Compile(ctx context.Context, group *source.Group, resolver schema.Resolver) (*graph.Graph, diag.List, error) {
	s := newState(ctx.Err, group, resolver)
	for _, p := range passes {
		if err := ctx.Err(); err != nil {
			return nil, s.problems, err
		}
		p.run(s)
		if s.unknown != nil {
			return nil, s.problems, s.unknown
		}
	}
	if s.problems.HasErrors() {
		return nil, s.problems, nil
	}
	return s.graph(), s.problems, nil
}
