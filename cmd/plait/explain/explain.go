package explain

import (
	"fmt"
	"slices"
	"time"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/inspect"
)

// Explanation says how an object stands, and why.
type Explanation struct {
	Subject string         `json:"subject"` // WebApp default/shop
	State   string         `json:"state"`
	Reason  string         `json:"reason,omitempty"`
	Health  inspect.Health `json:"health"`
	Since   *time.Time     `json:"since,omitempty"`
	Causes  []Cause        `json:"causes"`            // what to look at first comes first; none of what is well
	Waiting []string       `json:"waiting,omitempty"` // nodes that only wait for the causes
	Notes   []string       `json:"notes,omitempty"`
}

// Cause is one thing that has to change.
type Cause struct {
	Subject string         `json:"subject"` // deployment (Deployment default/shop)
	State   string         `json:"state,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Problem string         `json:"problem"`
	Details []string       `json:"details,omitempty"` // what is seen at the object itself
	Next    string         `json:"next,omitempty"`    // what to do
	Command string         `json:"command,omitempty"` // shows more
	Health  inspect.Health `json:"health"`
	Since   *time.Time     `json:"since,omitempty"`
}

// NeedsHand tells whether something does not pass by itself.
func (e Explanation) NeedsHand() bool {
	return e.Health == inspect.Bad || slices.ContainsFunc(e.Causes, func(c Cause) bool { return c.Health == inspect.Bad })
}

// Explain gives the causes for an object not being ready.
func Explain(it *inspect.Item) Explanation {
	e := &explainer{root: it, seen: map[*inspect.Item]bool{}}
	e.item(it)
	out := Explanation{
		Subject: it.Title(), State: it.State, Reason: it.Reason, Health: it.Health, Since: it.Since,
		Causes: e.causes, Waiting: e.waiting, Notes: it.Notes,
	}
	if out.Causes == nil {
		out.Causes = []Cause{}
	}
	return out
}

// explainer gathers causes.
type explainer struct {
	root    *inspect.Item
	causes  []Cause
	waiting []string
	seen    map[*inspect.Item]bool
}

func (e *explainer) add(c Cause, cure cure, names placeholders) {
	c.Next, c.Command = names.fill(cure.next), names.fill(cure.command)
	same := func(o Cause) bool { return o.Subject == c.Subject && o.Problem == c.Problem }
	if !slices.ContainsFunc(e.causes, same) {
		e.causes = append(e.causes, c)
	}
}

// item asks anything for its causes.
func (e *explainer) item(it *inspect.Item) {
	if e.seen[it] {
		return
	}
	e.seen[it] = true
	switch it.Class {
	case inspect.ClassInstance:
		e.instance(it)
	case inspect.ClassGroup:
		e.group(it)
	case inspect.ClassConnection:
		e.connection(it)
	case inspect.ClassBinding:
		e.binding(it)
	case inspect.ClassWorkspace:
		e.workspace(it)
	case inspect.ClassObject, inspect.ClassNone:
		e.object(it)
	}
}

// isSettled tells of what nobody has to care about.
func isSettled(it *inspect.Item) bool {
	return it.Health == inspect.Good || it.Health == inspect.Off
}

// condition adds a cause for one condition.
func (e *explainer) condition(it *inspect.Item, c *inspect.Condition) {
	health := inspect.Bad
	if c.Reason == string(v1alpha1.ReasonProgressing) || c.Reason == string(v1alpha1.ReasonSyncing) {
		health = inspect.Busy
	}
	e.add(Cause{
		Subject: it.Title(), State: c.Type + "=" + c.Status, Reason: c.Reason, Problem: c.Message, Health: health, Since: c.Since,
	}, cureFor(it.Class, c.Reason), namesOf(it, it))
}

// conditions adds a cause for each condition of the types that is as it should not be, in their order.
func (e *explainer) conditions(it *inspect.Item, types []v1alpha1.ConditionType) (found bool) {
	for _, kind := range types {
		c := it.Condition(string(kind))
		if c == nil || c.Status == wanted(kind) || kind == v1alpha1.ConditionReady && found {
			continue
		}
		if c.Status == "Unknown" && (found || c.Reason == string(v1alpha1.ReasonProgressing)) {
			continue // not looked at yet, for a cause that another condition has
		}
		e.condition(it, c)
		found = true
	}
	return found
}

// wanted is the status of a condition when all is well.
func wanted(kind v1alpha1.ConditionType) string {
	if kind == v1alpha1.ConditionPermissionDenied || kind == v1alpha1.ConditionConflicts {
		return "False"
	}
	return "True"
}

// group is a ResourceGroup: its conditions stand causes first.
func (e *explainer) group(it *inspect.Item) {
	if e.notLookedAt(it) {
		return
	}
	e.conditions(it, v1alpha1.AllResourceGroupConditions())
}

// notLookedAt adds a cause for an object whose newest spec no controller has seen.
func (e *explainer) notLookedAt(it *inspect.Item) bool {
	if !it.Behind && len(it.Conditions) > 0 {
		return false
	}
	problem := "no engine has looked at it yet"
	if it.State != "" && len(it.Conditions) > 0 {
		problem = "its status is that of an older spec: no engine has looked at the newest one yet"
	}
	e.add(Cause{Subject: it.Title(), State: it.State, Problem: problem, Health: inspect.Busy, Since: it.Created}, notLookedAt, namesOf(it, it))
	return true
}

// object is anything else: what was found at it.
func (e *explainer) object(it *inspect.Item) {
	if isSettled(it) || it.Health == inspect.Unknown && len(it.Findings) == 0 {
		return
	}
	c := Cause{Subject: it.Title(), State: it.State, Reason: it.Reason, Problem: it.Message, Details: details(it), Health: it.Health, Since: it.Since}
	if c.Problem == "" {
		c.Problem = "it is not ready"
	}
	e.add(c, cureFor(it.Class, it.Reason), namesOf(it, it))
}

func details(it *inspect.Item) []string {
	var out []string
	for _, f := range it.Findings {
		text := f.Subject + ": " + f.Reason
		if f.Message != "" {
			text += ": " + f.Message
		}
		out = append(out, text)
	}
	return out
}

// nodeTitle names a node, and the instance that it is of unless that is the one in question.
func (e *explainer) nodeTitle(of, n *inspect.Item) string {
	title := "node " + n.ID
	if n.Kind != "" {
		title += fmt.Sprintf(" (%s)", n.Title())
	}
	if of != e.root {
		title += " of " + of.Title()
	}
	return title
}
