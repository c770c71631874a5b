package runtime

import (
	"slices"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime/plan"
)

// outcome is what the evaluation of one node gave.
type outcome struct {
	node     *graph.Node
	plan     plan.Node
	value    any  // what other nodes see; meaningful when there
	there    bool // there is a value
	excluded bool
	complete bool       // plan.Objects are all that the node wants; what else is there of it is not wanted
	unread   bool       // something could not be read for a passing reason, here or at a node that this one waits for
	denied   bool       // something may not be read
	reads    []plan.Key // children of which more was read than we rendered
	isSame   bool       // others see of it what they saw in the last evaluation
	volatile bool       // may come out otherwise with the same inputs; not remembered

	former plan.Key              // of the object that stands for a node that cannot be rendered now; see lastKnown
	beyond map[string][]plan.Key // by path: objects in which the live value is not what we rendered; of paths that somebody reads
}

// isSettled tells whether nodes that need this one may go on.
func (o *outcome) isSettled() bool { return o.plan.State == plan.Ready }

func excluded(n *graph.Node, why string) *outcome {
	return &outcome{node: n, excluded: true, plan: plan.Node{ID: n.ID, State: plan.Excluded, Message: why}}
}

func waiting(n *graph.Node, what ...string) *outcome {
	return &outcome{node: n, plan: plan.Node{
		ID: n.ID, State: plan.Waiting, WaitingFor: what, Message: "waiting for " + someOf(what, ", "),
	}}
}

func failed(n *graph.Node, reason plan.Reason, message string) *outcome {
	return &outcome{node: n, plan: plan.Node{ID: n.ID, State: plan.Failed, Reason: reason, Message: message}}
}

func ready(n *graph.Node, value any) *outcome {
	return &outcome{node: n, plan: plan.Node{ID: n.ID, State: plan.Ready}, value: value, there: true}
}

// someOf joins the first three and counts the rest.
func someOf(all []string, separator string) string { return plan.Some(all, separator) }

// appendNew adds what is not in the list yet.
func appendNew(list []string, more ...string) []string {
	for _, item := range more {
		if !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}

// text reads a string at a path of an object; empty when there is none.
func text(object map[string]any, path ...string) string {
	var at any = object
	for _, field := range path {
		fields, ok := at.(map[string]any)
		if !ok {
			return ""
		}
		at = fields[field]
	}
	value, _ := at.(string)
	return value
}

func isBeingDeleted(object map[string]any) bool {
	return text(object, "metadata", "deletionTimestamp") != ""
}
