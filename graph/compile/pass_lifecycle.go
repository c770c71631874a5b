package compile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/graph/source"
)

// checkLifecycle refuses settings that mean nothing for their node, contradict each other, or name fields that the
// kind does not have.
func checkLifecycle(s *state) {
	for _, n := range s.nodes {
		written := s.group.Root.Get("spec").Get("resources").Items[n.src.Index].Get("lifecycle")
		switch {
		case written == nil || len(written.Fields) == 0 || !hasOneBody(n.src):
		case n.out.Kind != graph.Template:
			s.report(diag.NodeLifecycle, written, "a lifecycle is about objects that Plait writes, and this is no template but "+bodyName(n.src),
				"Remove it.")
		default:
			if recreate := written.Get("recreate"); n.out.Lifecycle.Recreate && n.out.Lifecycle.Orphan {
				s.report(diag.NodeLifecycle, recreate, "recreate: OnImmutable deletes the object, and deletion: Orphan keeps it", "Remove one of them.")
			}
			for _, path := range n.src.Lifecycle.IgnoreFields {
				s.checkIgnored(n, path)
			}
		}
	}
}

// bodyName names a body that is no template.
func bodyName(src *source.Node) string {
	if src.ExternalRef != nil {
		return "an externalRef"
	}
	return "a def"
}

// identity are the fields by which an object is that object.
var identity = []string{"apiVersion", "kind", "metadata", "metadata.name", "metadata.namespace"}

// pathStep is a key, a quoted key or an index at the start of a path.
var pathStep = regexp.MustCompile(`^(?:\.?([A-Za-z0-9_-]+)|\["([^"]+)"\]|\[([0-9]+)\])`)

// checkIgnored follows a path through the kind's schema.
func (s *state) checkIgnored(n *node, path *source.Value) {
	rest := path.Text()
	if slices.Contains(identity, rest) {
		s.report(diag.NodeLifecycle, path, fmt.Sprintf("%s makes the object what it is, and cannot be left to others", rest), "Remove it.")
		return
	}
	typ := n.out.Type
	for rest != "" || rest == path.Text() {
		step := pathStep.FindStringSubmatch(rest)
		if step == nil || rest == path.Text() && step[0][0] == '.' {
			s.report(diag.NodeLifecycle, path, fmt.Sprintf("%q is no path of a field", path.Text()), `Write it as spec.replicas, data["app.conf"] or spec.ports[0].port.`)
			return
		}
		rest = rest[len(step[0]):]
		next, fault, suggestion := stepInto(typ, step)
		if fault != "" {
			s.report(diag.NodeLifecycle, path, fmt.Sprintf("%s has no field %s: %s", n.out.GVK.Kind, path.Text(), fault), suggestion)
			return
		}
		typ = next
	}
}

// stepInto gives the type behind one step, or what is wrong with the step.
func stepInto(typ *expr.Type, step []string) (next *expr.Type, fault, suggestion string) {
	name := step[1] + step[2]
	switch {
	case typ.Kind() == expr.Dynamic:
		return typ, "", ""
	case step[3] != "":
		if typ.Kind() != expr.List {
			return nil, "there is no list at [" + step[3] + "]", ""
		}
		return typ.Elem(), "", ""
	default:
		field, ok := typ.Field(name)
		if !ok {
			return nil, strconv.Quote(name) + " is not known", diag.DidYouMean(name, typ.FieldNames())
		}
		return field, "", ""
	}
}
