package runtime

import (
	"hash/maphash"
	"slices"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// Memo is what one evaluation leaves for the next one of the same instance: for each node a hash of what it read
// and its verdict, of a def also its value while that is small. It holds no object and is never changed once an evaluation has returned it.
type Memo struct {
	graph *graph.Graph
	nodes []*remembrance // by index of the node; nil: nothing is kept of it
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
	value    any // of a def; small
	there    bool
}

// maxValue is how large a def's value may be, roughly as JSON, to be kept in a memo.
const maxValue = 1 << 10

// digest is a hash that holds within this process.
type digest [2]uint64

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func digestOf(b []byte) digest {
	return digest{maphash.Bytes(seeds[0], b), maphash.Bytes(seeds[1], b)}
}

func newMemo(g *graph.Graph) *Memo {
	return &Memo{graph: g, nodes: make([]*remembrance, len(g.Nodes()))}
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
	if last.inputs != e.inputsOf(n) || last.live != e.liveOf(live) || e.isDisturbed(n, last) {
		return nil
	}
	out := &outcome{node: n, plan: last.node, excluded: last.excluded, complete: last.complete, unread: last.unread, reads: last.reads}
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
	return out
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
		excluded: out.excluded, complete: out.complete, unread: out.unread, reads: out.reads,
	}
	if n.Kind == graph.Def {
		e.next.nodes[n.Index].value, e.next.nodes[n.Index].there = out.value, out.there
	}
}

// inputsOf is a hash of all that a node reads but its own objects.
func (e *evaluator) inputsOf(n *graph.Node) digest {
	b := e.buffer[:0]
	for _, need := range n.Needs {
		o := e.outcomes[need.ID]
		for _, fact := range [...]bool{o.isSettled(), o.excluded, o.there, o.unread, o.denied} {
			b = append(b, byte('0'+btoi(fact)))
		}
	}
	for _, read := range e.in.Graph.Reads(n.ID) {
		switch o := e.outcomes[read.Name]; {
		case read.Name == "schema":
			b = appendAt(b, e.schema, read.Path)
		case o != nil && o.there:
			b = appendAt(b, e.valueOf(o), read.Path)
		}
	}
	e.buffer = b
	return digestOf(b)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// liveOf is a hash of the live form of a node's own objects.
func (e *evaluator) liveOf(objects []any) digest {
	b := e.buffer[:0]
	for _, object := range objects {
		b = appendVersion(b, object)
	}
	e.buffer = b
	return digestOf(b)
}

// appendAt writes what stands at a path of a value.
func appendAt(b []byte, value any, path string) []byte {
	if path == "" {
		if list, ok := value.([]any); ok {
			b = appendLength(append(b, 'l'), len(list))
			for _, item := range list {
				b = appendVersion(b, item)
			}
			return b
		}
		return appendVersion(b, value)
	}
	at, ok := at(value, path)
	if !ok {
		return append(b, '-')
	}
	return appendValue(b, at)
}

// appendVersion writes a whole object by its UID and version where it has them, else in full.
func appendVersion(b []byte, value any) []byte {
	if object, ok := value.(map[string]any); ok {
		uid, version := text(object, "metadata", "uid"), text(object, "metadata", "resourceVersion")
		if uid != "" && version != "" {
			return appendValue(appendValue(append(b, 'v'), uid), version)
		}
	}
	return appendValue(b, value)
}
