package runtime

import (
	"fmt"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
	"github.com/plait-run/plait/runtime/template"
)

// template renders the objects of a node and holds them against what is observed.
func (e *evaluator) template(n *graph.Node) *outcome {
	reads, denied := e.access(n)
	if denied != nil {
		return denied
	}
	objects := e.drafted(n)
	if objects == nil {
		found := e.findings(n)
		var items []int
		objects, items = e.render(n, e.expand(n, found), found)
		checkDistinct(objects, items, found)
		if out := found.outcome(); out != nil {
			out.reads = reads
			return out
		}
		e.draft(n, objects)
	}
	if out := e.claim(n, objects); out != nil {
		return out
	}
	out := e.observe(n, objects)
	out.reads = append(out.reads, reads...)
	out.beyond = e.beyondOf(n, objects)
	return out
}

// render gives the objects, and for each the number of its item, from 1: an item that cannot be rendered has none.
func (e *evaluator) render(n *graph.Node, items []item, found *findings) (objects []plan.Object, numbers []int) {
	needs := e.ownersOf(n)
	objects, numbers = make([]plan.Object, 0, len(items)), make([]int, 0, len(items))
	for i, it := range items {
		out := template.Render(n.Body, e.evaluatorOf(it.vars), template.Object)
		found.add(out)
		if len(out.Faults)+len(out.Missing) > 0 {
			continue
		}
		rendered, _ := out.Value.(map[string]any)
		found.item = it.id
		key, ok := e.identify(n, rendered, found)
		if !ok {
			continue
		}
		if size := sizeOf(rendered); size > e.limits.ObjectBytes {
			found.fail(plan.ReasonInvalidObject, fmt.Sprintf("%s: %s is larger than the limit of %d bytes", n.Path, key, e.limits.ObjectBytes))
			continue
		}
		objects = append(objects, plan.Object{
			Node: n.ID, Item: it.id, Key: key, GVK: n.GVK, Resource: n.Resource, Needs: needs,
			Rendered: rendered, Lifecycle: n.Lifecycle, Secret: n.ReadsSecret || isSecret(n),
		})
		numbers = append(numbers, i+1)
	}
	return objects, numbers
}

func isSecret(n *graph.Node) bool { return n.GVK.Group == "" && n.GVK.Kind == "Secret" }

// checkDistinct refuses two items of one collection that would be one object.
func checkDistinct(objects []plan.Object, items []int, found *findings) {
	first := make(map[plan.Key]int, len(objects))
	for i, o := range objects {
		j, taken := first[o.Key]
		if !taken {
			first[o.Key] = i
			continue
		}
		found.fail(plan.ReasonEvaluationFailed, fmt.Sprintf(
			"%s.template.metadata.name: the items %d and %d (%s and %s) are both %s; each item needs a name of its own",
			found.node.Path, items[j], items[i], objects[j].Item, o.Item, o.Key))
	}
}

// claim makes the objects this node's own; nil means that no other node has one of them.
func (e *evaluator) claim(n *graph.Node, objects []plan.Object) *outcome {
	for _, o := range objects {
		if owner, taken := e.claims[o.Key]; taken && owner != n.ID {
			out := failed(n, plan.ReasonEvaluationFailed, fmt.Sprintf(
				"%s.template.metadata.name: %s is made by node %q already; two nodes cannot make one object", n.Path, o.Key, owner))
			out.volatile = true
			return out
		}
	}
	if len(e.claims)+len(objects) > e.limits.Children {
		out := failed(n, plan.ReasonEvaluationFailed, fmt.Sprintf(
			"%s: with it the instance has more than %d objects; smaller collections are needed, or a higher limit", n.Path, e.limits.Children))
		out.volatile = true
		return out
	}
	for _, o := range objects {
		e.claims[o.Key] = n.ID
	}
	return nil
}

// sizeOf estimates the size of a value as JSON.
func sizeOf(value any) int {
	switch v := value.(type) {
	case map[string]any:
		size := 2
		for key, item := range v {
			size += len(key) + 4 + sizeOf(item)
		}
		return size
	case []any:
		size := 2
		for _, item := range v {
			size += 1 + sizeOf(item)
		}
		return size
	case string:
		return len(v) + 2
	}
	return 8
}

// live gives the live form of a wanted object, nil when there is none.
func (e *evaluator) live(o plan.Object) map[string]any {
	if live, ok := e.in.Observed.Children[o.Key]; ok {
		return live
	}
	if e.assume != nil {
		return e.assume(o)
	}
	return nil
}

// observe says for each object what to do with it, and from that where the node stands.
func (e *evaluator) observe(n *graph.Node, objects []plan.Object) *outcome {
	out := ready(n, nil)
	out.complete, out.plan.Objects = true, objects
	seen := make([]any, 0, len(objects))
	var deleting []string
	current := true
	for i := range objects {
		o := &objects[i]
		live := e.live(*o)
		switch {
		case live == nil:
			o.Action = plan.Create
		case isBeingDeleted(live):
			o.Action = plan.Keep
			deleting = append(deleting, "deleting "+o.Key.Kind+" "+o.Key.Name)
		case e.in.IsCurrent == nil || e.in.IsCurrent(*o, live):
			o.Action = plan.Keep
		default:
			o.Action = plan.Apply
		}
		current = current && o.Action == plan.Keep
		if live != nil {
			seen = append(seen, live)
		}
	}
	out.see(seen, len(objects))
	return e.settle(out, deleting, current, seen)
}

// see makes the live objects the node's value. A collection is there when all of its objects are.
func (o *outcome) see(live []any, wanted int) {
	o.value, o.there = nil, len(live) >= wanted
	switch {
	case !o.there:
	case len(o.node.ForEach) > 0:
		o.value = live
	default:
		o.value = live[0]
	}
}

// settle gives the state: a write that failed, then a deletion that is under way, then what is not applied or ready.
func (e *evaluator) settle(out *outcome, deleting []string, current bool, live []any) *outcome {
	if fault, ok := e.writeFault(out.plan.Objects); ok {
		out.plan.State, out.plan.Reason = plan.Failed, fault.Reason
		out.plan.Message, out.plan.Passing = fault.Message, fault.Passing
		return out
	}
	if len(deleting) > 0 {
		out.plan.State, out.plan.WaitingFor = plan.Waiting, deleting
		out.plan.Message = "waiting for " + someOf(deleting, ", ")
		return out
	}
	if !current {
		out.plan.State, out.plan.Message = plan.Applied, "is being applied"
		return out
	}
	return e.checkReady(out, live)
}

// writeFault gives the fault of the first object that has one.
func (e *evaluator) writeFault(objects []plan.Object) (plan.Fault, bool) {
	for _, o := range objects {
		if fault, ok := e.in.Observed.Faults[o.Key]; ok {
			fault.Message = o.Key.String() + ": " + fault.Message
			return fault, true
		}
	}
	return plan.Fault{}, false
}
