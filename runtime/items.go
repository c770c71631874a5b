package runtime

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/runtime/plan"
	"github.com/plait-run/plait/runtime/template"
)

// item is one entry of a collection, or the only one of a node without forEach.
type item struct {
	id     string // its iterators' values as a JSON list, or a hash of them; empty without forEach
	values []any
	vars   expr.Vars
}

// expand gives the items of a node: the cartesian product of its iterators, the first outermost.
func (e *evaluator) expand(n *graph.Node, found *findings) []item {
	items := []item{{vars: e.scope(n)}}
	if len(n.ForEach) > e.limits.Iterators {
		found.fail(plan.ReasonEvaluationFailed, fmt.Sprintf("%s.forEach: %d iterators; at most %d are allowed", n.Path, len(n.ForEach), e.limits.Iterators))
		return nil
	}
	for _, iterator := range n.ForEach {
		var next []item
		for _, outer := range items {
			values := e.values(iterator, outer.vars, found)
			if len(next)+len(values) > e.limits.CollectionItems {
				found.fail(plan.ReasonEvaluationFailed, fmt.Sprintf("%s: more than %d items; a shorter list is needed, or an engine with a higher --max-collection-items", iterator.Path, e.limits.CollectionItems))
				return nil
			}
			for _, value := range values {
				next = append(next, outer.with(iterator.Name, value))
			}
		}
		items = next
	}
	if len(n.ForEach) > 0 {
		for i := range items {
			items[i].id = idOf(n, items[i].values)
		}
	}
	return items
}

func (i item) with(name string, value any) item {
	vars := maps.Clone(i.vars)
	vars[name] = value
	return item{values: append(i.values[:len(i.values):len(i.values)], value), vars: vars}
}

// values gives the list of one iterator.
func (e *evaluator) values(iterator *graph.Iterator, vars expr.Vars, found *findings) []any {
	result := iterator.Program.Eval(e.ctx, vars, e.limits.Expression)
	if !found.result(iterator.Path, iterator.Program, result) || result.Omitted {
		return nil
	}
	list, ok := result.Value.([]any)
	if !ok {
		found.fault(template.NewFault(iterator.Path, iterator.Program, "forEach takes a list, and this gives something else"))
	}
	return list
}

// maxItemID is how long an item's id may be before a hash stands for it.
const maxItemID = 200

// idOf names an item. It is written on the child and into messages, so that it may not show what could be secret.
func idOf(n *graph.Node, values []any) string {
	text, err := json.Marshal(values)
	if err != nil || len(text) > maxItemID || n.ReadsSecret {
		return hashOf(values)
	}
	return string(text)
}

// def computes the value of a def; with forEach a list.
func (e *evaluator) def(n *graph.Node) *outcome {
	found := e.findings(n)
	items := e.expand(n, found)
	values := make([]any, 0, len(items))
	for _, it := range items {
		out := template.Render(n.Body, e.evaluatorOf(it.vars), template.Value)
		found.add(out)
		if !out.Omitted {
			values = append(values, out.Value)
		}
	}
	if out := found.outcome(); out != nil {
		return out
	}
	if len(n.ForEach) > 0 {
		return ready(n, values)
	}
	if len(values) == 0 {
		return ready(n, nil)
	}
	return ready(n, values[0])
}
