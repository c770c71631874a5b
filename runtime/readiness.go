package runtime

import (
	"fmt"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/runtime/plan"
	"github.com/plait-run/plait/runtime/template"
)

// checkReady holds readyWhen against the live objects of a node that are all there. A value that is not there means
// not ready; an evaluation that fails is a failure. Without readyWhen to exist is to be ready.
func (e *evaluator) checkReady(out *outcome, live []any) *outcome {
	n := out.node
	if len(n.ReadyWhen) == 0 {
		return out
	}
	for _, o := range out.plan.Objects {
		out.reads = append(out.reads, o.Key)
		e.reads[o.Key] = true
		if why, denied := e.in.Observed.Denied[o.Key]; denied {
			out.fail(e.mayNotRead(n, o.Key, why))
			return out
		}
	}
	found := e.findings(n)
	var unready []string
	for i, object := range live {
		vars := expr.Vars{"schema": e.schema, "self": object, n.ID: out.value}
		if n.IsCollection() {
			vars["each"] = object
			vars["self"] = out.value
		}
		for _, condition := range n.ReadyWhen {
			result := condition.Program.Eval(e.ctx, vars, e.limits.Expression)
			if len(result.Missing) == 0 && e.checkCondition(condition, result, found) {
				continue
			}
			unready = append(unready, unreadyText(out, condition, result, i))
			break
		}
	}
	switch failure := found.outcome(); {
	case failure != nil:
		out.fail(failure)
	case len(unready) > 0:
		out.plan.State, out.plan.Message = plan.Applied, someOf(unready, ", ")
	}
	return out
}

// fail makes a node whose objects are there a failed one.
func (o *outcome) fail(failure *outcome) {
	o.plan.State, o.plan.Reason, o.plan.Message = failure.plan.State, failure.plan.Reason, failure.plan.Message
	o.volatile, o.denied = failure.volatile, failure.denied
}

// unreadyText names the condition by its expression, which is the author's text: no value that it reads is shown.
func unreadyText(out *outcome, c *graph.Condition, result expr.Result, i int) string {
	subject, fault := "it", "does not hold"
	if i < len(out.plan.Objects) {
		subject = out.plan.Objects[i].Key.String()
	}
	if len(result.Missing) > 0 {
		fault = "waits for " + missingText(result.Missing)
	}
	return fmt.Sprintf("%s is not ready: readyWhen %s: %s", subject, fault, template.Shown(c.Program))
}

func missingText(missing []expr.Missing) string {
	paths := make([]string, len(missing))
	for i, m := range missing {
		paths[i] = m.String()
	}
	return someOf(paths, ", ")
}
