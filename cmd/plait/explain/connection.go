package explain

import (
	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/inspect"
)

func (e *explainer) connection(it *inspect.Item) {
	if e.notLookedAt(it) {
		return
	}
	e.conditions(it, v1alpha1.AllConnectionConditions())
	for _, part := range it.Items {
		if part.Relation == inspect.API {
			e.api(it, part)
		}
	}
}

// api adds a cause for an API that is not as it should be. That one is not installed is no fault.
func (e *explainer) api(owner, api *inspect.Item) {
	if isSettled(api) {
		return
	}
	problem := api.Message
	if problem == "" {
		problem = "it is " + api.State
	}
	e.add(Cause{
		Subject: "API " + api.ID + " of " + owner.Title(), State: api.State, Reason: api.Reason, Problem: problem, Health: api.Health,
	}, cureFor(owner.Class, api.Reason, api.State), namesOf(owner, owner))
}

// binding is asked after its Connection, on which all of it hangs.
func (e *explainer) binding(it *inspect.Item) {
	before := len(e.causes)
	if c := it.Part(inspect.Connection); c != nil {
		e.reference(it, c)
	}
	if len(e.causes) > before {
		return
	}
	if e.notLookedAt(it) {
		return
	}
	for _, part := range it.Items {
		if part.Relation == inspect.API {
			e.api(it, part)
		}
	}
	e.conditions(it, v1alpha1.AllBindingConditions())
}

// reference asks what an item refers to, which may not be there.
func (e *explainer) reference(from, to *inspect.Item) {
	switch {
	case to.Missing:
		e.add(Cause{
			Subject: to.Title(), State: to.State, Problem: to.Message + "; " + from.Title() + " refers to it", Health: inspect.Bad,
		}, missing, namesOf(from, to))
	case !isSettled(to) && to.Health != inspect.Unknown:
		e.item(to)
	}
}

// copied is a copy at a provider: its Connection comes first, then its binding, then the copy itself.
func (e *explainer) copied(of, it *inspect.Item) {
	before := len(e.causes)
	relations := []inspect.Relation{inspect.Connection, inspect.Binding}
	if it.OwnProblem {
		relations = relations[:1] // the binding only counts such objects
	}
	for _, relation := range relations {
		if part := it.Part(relation); part != nil && len(e.causes) == before {
			e.reference(it, part)
		}
	}
	if len(e.causes) > before {
		return
	}
	problem := it.Message
	if problem == "" {
		problem = "it is " + it.State
	}
	e.add(Cause{
		Subject: "copy of " + it.Title() + " at the provider", State: it.State, Reason: it.Reason, Problem: problem, Health: it.Health, Since: it.Since,
	}, cureFor(inspect.ClassBinding, it.Reason, it.State), namesOf(of, of))
}

// workspace is asked after the object that it is mounted from.
func (e *explainer) workspace(it *inspect.Item) {
	before := len(e.causes)
	if m := it.Part(inspect.Mount); m != nil {
		e.reference(it, m)
	}
	if len(e.causes) == before {
		e.conditions(it, []v1alpha1.ConditionType{v1alpha1.ConditionWorkspaceMountReady})
	}
	if len(e.causes) == before && !isSettled(it) {
		e.notLookedAt(it)
	}
}
