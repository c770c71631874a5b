package runtime

import (
	"crypto/sha256"
	"slices"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// Memo is what one evaluation leaves for the next one of the same instance: for each node a hash of what it read
// and its verdict. It holds no object and is never changed once an evaluation has returned it.
type Memo struct {
	graph *graph.Graph
	nodes map[string]remembrance
}

// remembrance is what is kept of one node.
type remembrance struct {
	inputs   [sha256.Size]byte // of all that it read of other nodes and the instance
	live     [sha256.Size]byte // of its own live objects
	node     plan.Node         // without rendered objects
	excluded bool
	complete bool
	unread   bool
	reads    []plan.Key
}

func newMemo(g *graph.Graph) *Memo {
	return &Memo{graph: g, nodes: make(map[string]remembrance, len(g.Nodes()))}
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
	if e.memo == nil || n.Kind != graph.Template {
		return nil
	}
	last, ok := e.memo.nodes[n.ID]
	if !ok || last.inputs != e.inputsOf(n) || last.live != e.liveOf(last.node.Objects) || e.isDisturbed(n, last) {
		return nil
	}
	out := &outcome{node: n, plan: last.node, excluded: last.excluded, complete: last.complete, unread: last.unread}
	var live []any
	for _, o := range last.node.Objects {
		e.claims[o.Key] = n.ID
		if object := e.live(o); object != nil {
			live = append(live, object)
		}
	}
	if last.complete {
		out.see(live, len(last.node.Objects))
	}
	for _, key := range last.reads {
		e.reads[key] = true
	}
	e.next.nodes[n.ID] = last
	return out
}

// isDisturbed tells whether a fault, a denial or another node now concerns what the node wants or read.
func (e *evaluator) isDisturbed(n *graph.Node, last remembrance) bool {
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
	if n.Kind != graph.Template || out.volatile || out.denied || e.assume != nil {
		return
	}
	kept := out.plan
	kept.Objects = slices.Clone(out.plan.Objects)
	for i := range kept.Objects {
		_, faulty := e.in.Observed.Faults[kept.Objects[i].Key]
		if kept.Objects[i].Action != plan.Keep || faulty {
			return
		}
		kept.Objects[i].Rendered = nil
	}
	e.next.nodes[n.ID] = remembrance{
		inputs: e.inputsOf(n), live: e.liveOf(kept.Objects), node: kept,
		excluded: out.excluded, complete: out.complete, unread: out.unread, reads: out.reads,
	}
}

// inputsOf is a hash of all that a node reads but its own objects.
func (e *evaluator) inputsOf(n *graph.Node) [sha256.Size]byte {
	b := make([]byte, 0, 512)
	for _, need := range n.Needs {
		o := e.outcomes[need.ID]
		b = appendValue(b, need.ID)
		for _, fact := range []bool{o.isSettled(), o.excluded, o.there, o.unread, o.denied} {
			b = appendValue(b, fact)
		}
	}
	for _, read := range e.in.Graph.Reads(n.ID) {
		b = appendValue(appendValue(b, read.Name), read.Path)
		switch o := e.outcomes[read.Name]; {
		case read.Name == "schema":
			b = appendAt(b, e.schema, read.Path)
		case o != nil && o.there:
			b = appendAt(b, e.valueOf(o), read.Path)
		}
	}
	return sha256.Sum256(b)
}

// liveOf is a hash of the live form of a node's own objects.
func (e *evaluator) liveOf(objects []plan.Object) [sha256.Size]byte {
	if len(objects) == 0 {
		return [sha256.Size]byte{}
	}
	b := make([]byte, 0, 128)
	for _, o := range objects {
		b = appendVersion(b, e.live(o))
	}
	return sha256.Sum256(b)
}

// appendAt writes what stands at a path of a value.
func appendAt(b []byte, value any, path string) []byte {
	if path == "" {
		if list, ok := value.([]any); ok {
			for _, item := range list {
				b = appendVersion(b, item)
			}
			return appendLength(append(b, 'l'), len(list))
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
