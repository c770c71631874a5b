package plan

import (
	"fmt"
	"slices"
	"strings"
)

// State is where a whole instance stands.
type State string

// The states of an instance that an evaluation can give.
const (
	InProgress  State = "IN_PROGRESS" // working or waiting; nothing is wrong
	Active      State = "ACTIVE"      // every node is Ready or Excluded
	StateFailed State = "FAILED"      // gets no further until somebody changes something
	StateError  State = "ERROR"       // a passing fault of API server or network
)

// Summary is what an instance says of itself in one line.
type Summary struct {
	State   State
	Ready   string // True, False, Unknown; True only while Active
	Reason  Reason // of Ready; an author's own reason stands here too
	Message string // of Ready
}

// Summarise gives state, reason and message of a plan. FAILED outweighs ERROR, which outweighs IN_PROGRESS. While
// ACTIVE an author's condition Ready gives reason and message, and may lower Ready.
func Summarise(p Plan) Summary {
	failed, passing, waiting := sort(p.Nodes)
	switch {
	case len(failed) > 0:
		return Summary{StateFailed, "False", failed[0].Reason, tell(failed)}
	case len(passing) > 0:
		return Summary{StateError, "False", passing[0].Reason, tell(passing)}
	case len(waiting) > 0:
		return Summary{InProgress, "False", ReasonProgressing, "waiting for " + Some(reasonsToWait(p.Nodes, waiting), ", ")}
	}
	for _, c := range p.Conditions {
		if c.Type == "Ready" {
			return Summary{Active, c.Status, Reason(c.Reason), c.Message}
		}
	}
	return Summary{Active, "True", ReasonAvailable, "everything is ready"}
}

func sort(nodes []Node) (failed, passing, waiting []Node) {
	for _, n := range nodes {
		switch {
		case n.State == Ready || n.State == Excluded:
		case n.State != Failed:
			waiting = append(waiting, n)
		case n.Passing:
			passing = append(passing, n)
		default:
			failed = append(failed, n)
		}
	}
	return failed, passing, waiting
}

func tell(nodes []Node) string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i] = n.ID + ": " + n.Message
	}
	return Some(out, "; ")
}

// reasonsToWait gives what the nodes wait for, without other nodes that wait themselves: those give their own reasons.
func reasonsToWait(all, waiting []Node) []string {
	ids := make(map[string]bool, len(all))
	for _, n := range all {
		ids[n.ID] = true
	}
	var out []string
	add := func(text string) {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for _, n := range waiting {
		switch {
		case n.State == Applied:
			add(n.ID + " to be ready")
		case n.State == Deleting:
			add("the deletion of " + n.ID)
		case len(n.WaitingFor) == 0:
			add(n.ID)
		}
		for _, what := range n.WaitingFor {
			if !ids[what] {
				add(nodeFirst(what, ids))
			}
		}
	}
	return out
}

// nodeFirst writes db.status.endpoint as `db: status.endpoint`.
func nodeFirst(what string, ids map[string]bool) string {
	i := strings.IndexAny(what, ".[")
	if i < 0 || !ids[what[:i]] {
		return what
	}
	return what[:i] + ": " + strings.TrimPrefix(what[i:], ".")
}

// maxNames is how many of several things a message names.
const maxNames = 3

// Some joins the first three texts and counts the rest.
func Some(all []string, separator string) string {
	if len(all) <= maxNames {
		return strings.Join(all, separator)
	}
	return fmt.Sprintf("%s%sand %d more", strings.Join(all[:maxNames], separator), separator, len(all)-maxNames)
}
