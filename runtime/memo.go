package runtime

import (
	"hash/maphash"
	"slices"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// Memo is what one evaluation leaves for the next one of the same instance: for each node a hash of what it read
// and its verdict, of a def also its value while that is small. But for drafts it holds no object. It is never changed once
// an evaluation has returned it.
type Memo struct {
	graph   *graph.Graph
	version string         // the resourceVersion of the instance; empty: it has none
	nodes   []*remembrance // by index of the node; nil: nothing is kept of it
	drafts  []draft        // by index of the node; nil: none are kept
}

// remembrance is what is kept of one node. It is never changed.
type remembrance struct {
	inputs   digest    // of all that it read of other nodes and the instance
	live     digest    // of its own live objects
	node     plan.Node // without rendered objects
	excluded bool
	complete bool
	unread   bool
	reads    []plan.Key
	beyond   map[string][]plan.Key
	value    any // of a def; small
	there    bool
}

// draft is what a node rendered, before it was held against the live objects.
type draft struct {
	inputs  digest
	objects []plan.Object // nil: there is none
}

// WithoutDrafts gives a memo that is small, for the time until the next pass: drafts save rendering again what the
// evaluations within one pass render.
func (m *Memo) WithoutDrafts() *Memo {
	if m == nil || m.drafts == nil {
		return m
	}
	out := *m
	out.drafts = nil
	return &out
}

// maxValue is how large a def's value may be, roughly as JSON, to be kept in a memo.
const maxValue = 1 << 10

// digest is a hash that holds within this process.
type digest [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func digestOf(b []byte) digest {
	return digest{maphash.Bytes(seeds[0], b), maphash.Bytes(seeds[1], b)}
}

func newMemo(in Input) *Memo {
	nodes := len(in.Graph.Nodes())
	return &Memo{
		graph: in.Graph, version: text(in.Instance, "metadata", "resourceVersion"),
		nodes: make([]*remembrance, nodes), drafts: make([]draft, nodes),
	}
}

// of gives the memo if it is of this graph.
func (m *Memo) of(g *graph.Graph) *Memo {
	if m == nil || m.graph != g {
		return nil
	}
	return m
}

// remembered gives the outcome of the last evaluation if nothing that the node reads has changed since.
func (e *evaluator) remembered(n *graph.Node) *outcome {
	if e.memo == nil || e.memo.nodes[n.Index] == nil {
		return nil
	}
	last := e.memo.nodes[n.Index]
	live := make([]any, 0, len(last.node.Objects))
	for _, o := range last.node.Objects {
		if object := e.live(o); object != nil {
			live = append(live, object)
		}
	}
	if last.live != e.liveOf(live) || e.isDisturbed(n, last) || !e.readsTheSame(n) && last.inputs != e.inputsOf(n) {
		return nil
	}
	out := &outcome{
		node: n, plan: last.node, excluded: last.excluded, complete: last.complete, unread: last.unread,
		reads: last.reads, beyond: last.beyond,
	}
	for _, o := range last.node.Objects {
		e.claims[o.Key] = n.ID
	}
	switch {
	case n.Kind == graph.Def:
		out.value, out.there = last.value, last.there
	case last.complete:
		out.see(live, len(last.node.Objects))
	}
	for _, key := range last.reads {
		e.reads[key] = true
	}
	e.next.nodes[n.Index] = last
	out.isSame = n.Kind == graph.Def || last.complete || last.excluded // of others the last known child may be another one
	return out
}

// readsTheSame tells whether all that a node reads is what it was, without looking at the values.
func (e *evaluator) readsTheSame(n *graph.Node) bool {
	if e.memo.version == "" || e.memo.version != e.next.version {
		return false
	}
	return !slices.ContainsFunc(n.Needs, func(need graph.Need) bool { return !e.outcomes[need.ID].isSame })
}

// isDisturbed tells whether a fault, a denial or another node now concerns what the node wants or read.
func (e *evaluator) isDisturbed(n *graph.Node, last *remembrance) bool {
	for _, o := range last.node.Objects {
		_, faulty := e.in.Observed.Faults[o.Key]
		if owner, taken := e.claims[o.Key]; faulty || taken && owner != n.ID {
			return true
		}
	}
	return slices.ContainsFunc(last.reads, func(key plan.Key) bool {
		_, denied := e.in.Observed.Denied[key]
		return denied
	})
}

// remember keeps an outcome that the same inputs would give again. Objects that are still to be written are not
// kept, for the plan must hold them.
func (e *evaluator) remember(n *graph.Node, out *outcome) {
	isReader := n.Kind == graph.External || n.Kind == graph.ExternalList
	if isReader || out.volatile || out.denied || e.assume != nil || n.Kind == graph.Def && sizeOf(out.value) > maxValue {
		return
	}
	kept := out.plan
	kept.Objects = slices.Clone(out.plan.Objects)
	live := make([]any, 0, len(kept.Objects))
	for i := range kept.Objects {
		o := &kept.Objects[i]
		if _, faulty := e.in.Observed.Faults[o.Key]; o.Action != plan.Keep || faulty {
			return
		}
		o.Rendered = nil
		live = append(live, e.live(*o))
	}
	e.next.nodes[n.Index] = &remembrance{
		inputs: e.inputsOf(n), live: e.liveOf(live), node: kept,
		excluded: out.excluded, complete: out.complete, unread: out.unread, reads: out.reads, beyond: out.beyond,
	}
	if n.Kind == graph.Def {
		e.next.nodes[n.Index].value, e.next.nodes[n.Index].there = out.value, out.there
	}
}

// drafted gives what the node rendered in the evaluation before, if it would render the same now; nil: that is not known.
func (e *evaluator) drafted(n *graph.Node) []plan.Object {
	if e.memo == nil || e.memo.drafts == nil || e.assume != nil {
		return nil
	}
	last := e.memo.drafts[n.Index]
	if last.objects == nil || last.inputs != e.inputsOf(n) {
		return nil
	}
	e.next.drafts[n.Index] = last
	return slices.Clone(last.objects)
}

// draft keeps what the node rendered.
func (e *evaluator) draft(n *graph.Node, objects []plan.Object) {
	if e.assume == nil {
		e.next.drafts[n.Index] = draft{inputs: e.inputsOf(n), objects: slices.Clone(objects)}
	}
}
