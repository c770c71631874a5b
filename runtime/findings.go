package runtime

import (
	"fmt"
	"strings"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/runtime/plan"
	"github.com/plait-run/plait/runtime/template"
)

// secretFault stands for the words of a failure that could hold a secret value.
const secretFault = "it fails; why is not shown, for it reads a secret value"

// findings gathers why a node cannot be rendered now: all of it, not only the first.
type findings struct {
	e          *evaluator
	node       *graph.Node
	waits      []string
	undeclared []string // of waits: what no schema declares
	reason     plan.Reason
	faults     []string
	item       string // whose object is being looked at; empty without forEach
	unread     bool
	volatile   bool
}

func (e *evaluator) findings(n *graph.Node) *findings { return &findings{e: e, node: n} }

// add takes what a rendered tree lacks.
func (f *findings) add(out template.Outcome) {
	for _, fault := range out.Faults {
		f.fault(fault)
	}
	for _, m := range out.Missing {
		f.miss(m.Path, m.Missing)
	}
}

// result takes what a single expression lacks; it tells whether there is a value.
func (f *findings) result(path string, p *expr.Program, r expr.Result) bool {
	if r.Err != nil {
		f.fault(template.FaultOf(path, p, r.Err))
		return false
	}
	for _, m := range r.Missing {
		f.miss(path, m)
	}
	return len(r.Missing) == 0
}

func (f *findings) fault(fault template.Fault) {
	f.volatile = f.volatile || fault.Limit
	if f.node.ReadsSecret && fault.Evaluation && !fault.Limit {
		fault.Summary = secretFault
	}
	f.fail(plan.ReasonEvaluationFailed, fault.String())
}

func (f *findings) fail(reason plan.Reason, message string) {
	if len(f.faults) == 0 {
		f.reason = reason
	}
	f.faults = appendNew(f.faults, message)
}

// miss sorts a missing value: what is another's will come, what is the user's own will not.
func (f *findings) miss(path string, m expr.Missing) {
	if other := f.e.outcomes[m.Name]; other != nil && !other.there {
		f.waits = appendNew(f.waits, m.Name)
		f.unread = f.unread || other.unread
		return
	}
	switch m.Root {
	case expr.Node:
		f.waits = appendNew(f.waits, m.String())
		if !m.Declared {
			f.undeclared = appendNew(f.undeclared, m.String())
		}
	case expr.Input:
		f.fail(plan.ReasonInvalidInput, path+": "+notSet(m))
	default:
		f.fail(plan.ReasonInvalidInput, path+": "+leftOut(m))
	}
}

// outcome is what the findings make of the node, nil when there are none.
func (f *findings) outcome() *outcome {
	var out *outcome
	switch {
	case len(f.faults) > 0:
		out = failed(f.node, f.reason, someOf(f.faults, "; "))
	case len(f.waits) > 0:
		out = waiting(f.node, f.waits...)
		if len(f.undeclared) > 0 {
			out.plan.Message += " (no schema declares " + someOf(f.undeclared, ", ") + ")"
		}
	default:
		return nil
	}
	out.unread, out.volatile = f.unread, f.volatile
	return out
}

func notSet(m expr.Missing) string {
	return fmt.Sprintf("%s is not set; set it in the instance, or let the ResourceGroup give it a default, read it with ? (%s), or ask has() first",
		m, optional(m.String()))
}

func leftOut(m expr.Missing) string {
	return fmt.Sprintf("%s has no value: what makes %q left it out; give it a value there, or read it with ? (%s)",
		m, m.Name, optional(m.String()))
}

// optional writes the last step of a path as one that may be missing.
func optional(path string) string {
	if i := strings.LastIndexAny(path, ".["); i > 0 {
		return path[:i+1] + "?" + path[i+1:]
	}
	return path
}
