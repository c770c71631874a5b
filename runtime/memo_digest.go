package runtime

import "github.com/plait-run/plait/graph"

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
