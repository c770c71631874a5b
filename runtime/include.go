package runtime

import (
	"fmt"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/runtime/template"
)

// include decides whether the node is wanted: nil means yes. Exclusion spreads along hard needs, and one
// condition that is false decides even while others cannot be told yet.
func (e *evaluator) include(n *graph.Node) *outcome {
	for _, need := range n.Needs {
		if other := e.outcomes[need.ID]; need.Kind == graph.Hard && other.excluded {
			return excluded(n, fmt.Sprintf("needs %q, which is excluded", need.ID))
		}
	}
	if len(n.IncludeWhen) == 0 {
		return nil
	}
	found := e.findings(n)
	vars := e.scope(n)
	for _, condition := range n.IncludeWhen {
		if e.holdsCondition(n, condition, found) {
			continue
		}
		result := condition.Program.Eval(e.ctx, vars, e.limits.Expression)
		if result.Value == false {
			return excluded(n, condition.Path+" is false")
		}
		e.checkCondition(condition, result, found)
	}
	return found.outcome()
}

// holdsCondition tells whether a condition reads a node that is not settled, and notes which.
func (e *evaluator) holdsCondition(n *graph.Node, condition *graph.Condition, found *findings) bool {
	held := false
	for _, ref := range condition.Program.References() {
		for _, need := range n.Needs {
			if need.ID == ref.Name && e.holdsUp(need) {
				found.waitFor(e.outcomes[need.ID])
				held = true
			}
		}
	}
	return held
}

// checkCondition tells whether a condition holds; why it cannot be told is noted.
func (e *evaluator) checkCondition(condition *graph.Condition, result expr.Result, found *findings) bool {
	if !found.result(condition.Path, condition.Program, result) {
		return false
	}
	holds, isBool := result.Value.(bool)
	if !isBool {
		found.fault(template.NewFault(condition.Path, condition.Program, "a condition must give true or false"))
	}
	return holds
}
