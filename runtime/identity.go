package runtime

import (
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// identify checks what makes a rendered object that object, and gives a namespaced one its namespace. What is
// wrong is noted before anything is written.
func (e *evaluator) identify(n *graph.Node, rendered map[string]any, found *findings) (plan.Key, bool) {
	before := len(found.faults)
	key := plan.Key{Group: n.GVK.Group, Kind: n.GVK.Kind}
	if text(rendered, "apiVersion") != n.GVK.GroupVersion().String() || text(rendered, "kind") != n.GVK.Kind {
		found.invalid("", fmt.Sprintf("apiVersion and kind must be %s %s", n.GVK.GroupVersion(), n.GVK.Kind))
	}
	metadata, ok := rendered["metadata"].(map[string]any)
	if !ok {
		found.invalid(".metadata", "it is left out; every object needs a name")
		return key, false
	}
	key.Name = e.nameOf(n, metadata, found)
	key.Namespace = e.namespaceOf(n, metadata, found)
	if key.Namespace != "" {
		metadata["namespace"] = key.Namespace
	}
	checkMarks(metadata, found)
	return key, len(found.faults) == before
}

// invalid notes that a field of the template came out as no object can have it.
func (f *findings) invalid(field, summary string) {
	place := f.node.Path + ".template" + field
	if f.item != "" {
		place += " of item " + f.item
	}
	f.fail(plan.ReasonInvalidObject, place+": "+summary)
}

func (e *evaluator) nameOf(n *graph.Node, metadata map[string]any, found *findings) string {
	value, present := metadata["name"]
	name, isText := value.(string)
	switch {
	case !present:
		found.invalid(".metadata.name", "it is left out; every object needs a name")
	case !isText:
		found.invalid(".metadata.name", "a name is text")
	case name == "":
		found.invalid(".metadata.name", "it comes out empty; every object needs a name")
	default:
		if faults := graph.NameFaults(n.GVK.GroupKind(), name); len(faults) > 0 {
			found.invalid(".metadata.name", fmt.Sprintf("%s cannot be the name of an object: %s", shown(n, name), faults[0]))
		}
	}
	return name
}

// namespaceOf gives the namespace that an object says, or else the instance's.
func (e *evaluator) namespaceOf(n *graph.Node, metadata map[string]any, found *findings) string {
	value, present := metadata["namespace"]
	namespace, isText := value.(string)
	switch {
	case present && !isText:
		found.invalid(".metadata.namespace", "a namespace is text")
	case present && !n.Namespaced:
		found.invalid(".metadata.namespace", n.GVK.Kind+" is cluster-scoped and has no namespace; leave it out")
	case !n.Namespaced:
		return ""
	case !present && e.namespace == "":
		found.invalid(".metadata.namespace", "it is left out, and a cluster-scoped instance has none to give")
	case !present:
		return e.namespace
	default:
		if faults := validation.IsDNS1123Label(namespace); len(faults) > 0 {
			found.invalid(".metadata.namespace", fmt.Sprintf("%s cannot be a namespace: %s", shown(n, namespace), faults[0]))
		}
	}
	return namespace
}

// checkMarks refuses labels and annotations that only the engine may write, where the compiler could not see the key.
func checkMarks(metadata map[string]any, found *findings) {
	for _, part := range []string{"labels", "annotations"} {
		values, _ := metadata[part].(map[string]any)
		for _, mark := range plan.Marks() {
			if _, set := values[mark]; set {
				found.invalid(".metadata."+part, mark+" is set by Plait itself; use another key")
			}
		}
	}
}

// maxShown is how many characters of a value a message shows.
const maxShown = 64

// shown quotes a value for a message; of a node that reads secrets no value is shown.
func shown(n *graph.Node, value string) string {
	if n.ReadsSecret {
		return "what comes out"
	}
	if runes := []rune(value); len(runes) > maxShown {
		value = string(runes[:maxShown]) + "…"
	}
	return strconv.Quote(value)
}
