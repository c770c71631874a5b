package explain

import (
	"slices"
	"strings"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/inspect"
)

// aboutInstance are the conditions of an instance without which no node is looked at, causes first.
var aboutInstance = []v1alpha1.ConditionType{
	v1alpha1.ConditionServiceAccountResolved, v1alpha1.ConditionGraphResolved, v1alpha1.ConditionInstanceManaged,
}

// instance goes from the outside in: who looks at it, who acts, what the nodes say, and last what Ready says.
func (e *explainer) instance(it *inspect.Item) {
	before := len(e.causes)
	group := it.Part(inspect.Group)
	for _, part := range []*inspect.Item{it, group} {
		if part != nil && part.Suspended {
			e.suspended(part)
		}
	}
	if it.Behind || len(it.Conditions) == 0 {
		if group != nil && !isSettled(group) {
			e.item(group)
		}
		if len(e.causes) == before {
			e.notLookedAt(it)
		}
		return
	}
	if e.conditions(it, aboutInstance) && group != nil && !isSettled(group) {
		e.item(group)
	}
	e.nodes(it)
	e.kinds(it, group)
	if c := it.Condition(string(v1alpha1.ConditionStatusProjected)); c != nil && c.Status == "False" && !e.isTold(c.Reason) {
		e.condition(it, c)
	}
	if len(e.causes) == before && !isSettled(it) {
		e.conditions(it, []v1alpha1.ConditionType{v1alpha1.ConditionReady})
	}
}

// kinds tells of kinds that are not installed, where a node waits for something other than a node.
func (e *explainer) kinds(it, group *inspect.Item) {
	roots, _ := rootsOf(it)
	isWaiting := func(n *inspect.Item) bool { return n.State == string(v1alpha1.NodeWaiting) }
	if group == nil || !slices.ContainsFunc(roots, isWaiting) {
		return
	}
	if c := group.Condition(string(v1alpha1.ConditionKindsAvailable)); c != nil && c.Status == "False" {
		e.condition(group, c)
	}
}

// isTold tells whether a right that is missing is told already: one that fails a node and the fields of the status is one cause.
func (e *explainer) isTold(reason string) bool {
	return reason == string(v1alpha1.ReasonForbidden) && slices.ContainsFunc(e.causes, func(c Cause) bool { return c.Reason == reason })
}

// suspended adds a cause for an instance of which nothing is written, by its own annotation or by that of its group.
func (e *explainer) suspended(by *inspect.Item) {
	reason := string(v1alpha1.ReasonSuspended)
	e.add(Cause{
		Subject: by.Title(), State: by.State, Reason: reason, Health: inspect.Bad,
		Problem: "it is suspended by the annotation " + v1alpha1.AnnotationReconcile + ": nothing is written",
	}, cureFor(by.Class, reason), namesOf(by, by))
}

// order is that in which nodes are told: what cannot go on by itself first.
var order = []v1alpha1.NodeState{v1alpha1.NodeFailed, v1alpha1.NodeApplied, v1alpha1.NodeDeleting, v1alpha1.NodeWaiting}

// nodes adds the causes of nodes that are roots, and tells the others as waiting.
func (e *explainer) nodes(it *inspect.Item) {
	roots, waiting := rootsOf(it)
	for _, n := range roots {
		e.node(it, n)
	}
	e.waiting = append(e.waiting, waiting...)
}

// rootsOf splits the nodes that are not settled into those that stand for themselves, in the order of telling, and the ids
// of those that wait for another node.
func rootsOf(it *inspect.Item) (roots []*inspect.Item, waiting []string) {
	open := map[string]bool{}
	hasOthers := false
	for _, n := range it.Items {
		if isOpenNode(n) {
			open[n.ID] = true
			hasOthers = hasOthers || n.State != string(v1alpha1.NodeWaiting)
		}
	}
	for _, state := range order {
		for _, n := range it.Items {
			switch {
			case !isOpenNode(n) || n.State != string(state):
			case state == v1alpha1.NodeWaiting && waitsForNode(it, n, open, hasOthers):
				waiting = append(waiting, n.ID)
			default:
				roots = append(roots, n)
			}
		}
	}
	return roots, waiting
}

func isOpenNode(n *inspect.Item) bool {
	isNode := n.Relation == inspect.Node || n.Relation == inspect.Leftover && n.State == string(v1alpha1.NodeDeleting)
	return isNode && !isSettled(n)
}

// waitsForNode tells whether a waiting node needs one that is not settled. Where nothing is known of needs, it is taken to
// wait for the others.
func waitsForNode(it, n *inspect.Item, open map[string]bool, hasOthers bool) bool {
	knows := slices.ContainsFunc(it.Items, func(other *inspect.Item) bool { return len(other.Needs) > 0 })
	if !knows && it.Part(inspect.Group) == nil {
		return hasOthers
	}
	return slices.ContainsFunc(n.Needs, func(id string) bool { return id != n.ID && open[id] })
}

// node adds what is behind a node that is not ready, or the node itself.
func (e *explainer) node(it, n *inspect.Item) {
	before := len(e.causes)
	if n.State != string(v1alpha1.NodeFailed) {
		e.behind(n)
	}
	if len(e.causes) > before {
		return
	}
	c := Cause{Subject: e.nodeTitle(it, n), State: n.State, Reason: n.Reason, Problem: n.Message, Details: details(n), Health: n.Health, Since: n.Since}
	if c.Problem == "" {
		c.Problem = "it is not ready"
	}
	for _, condition := range n.ReadyWhen {
		isTold := strings.Contains(c.Problem, strings.Join(strings.Fields(condition), " "))
		if n.State == string(v1alpha1.NodeApplied) && !isTold {
			c.Details = append(c.Details, "readyWhen: "+condition)
		}
	}
	cure := cureFor(inspect.ClassInstance, n.Reason)
	if n.Reason == "" {
		cure = stateCures[v1alpha1.NodeState(n.State)]
	}
	e.add(c, cure, namesOf(it, n))
}

// behind asks what a node's object stands for: an instance with its own nodes, and the copy at a provider.
func (e *explainer) behind(n *inspect.Item) {
	if n.Class == inspect.ClassInstance {
		e.item(n)
	}
	if c := n.Part(inspect.Copy); c != nil && !isSettled(c) {
		e.copied(n, c)
	}
}
