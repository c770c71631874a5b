package runtime

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/runtime/plan"
	"github.com/plait-run/plait/runtime/template"
)

// project fills in what the author makes of the nodes: status fields and conditions. One that fails or has no
// value never stops the others.
func (e *evaluator) project(p *plan.Plan) {
	vars := expr.Vars{"schema": e.schema}
	for _, n := range e.in.Graph.Nodes() {
		if o := e.outcomes[n.ID]; o.there {
			vars[n.ID] = e.valueOf(o)
		}
	}
	s := &projection{e: e, vars: vars, plan: p}
	if body := e.in.Graph.Status(); body != nil {
		s.status(body)
	}
	for i, condition := range e.in.Graph.Conditions() {
		s.condition(fmt.Sprintf("status.conditions[%d]", i), condition)
	}
}

type projection struct {
	e    *evaluator
	vars expr.Vars
	plan *plan.Plan
}

// eval evaluates over all nodes that are there. One that is not there and is read only optionally gives none.
func (s *projection) eval(p *expr.Program) expr.Result {
	if why := s.denied(p); why != "" {
		return expr.Result{Err: template.DeniedError(why)}
	}
	vars := s.vars
	for id, optional := range optionalOnly(p) {
		o := s.e.outcomes[id]
		if o == nil || o.there || !optional || o.unread || o.denied {
			continue
		}
		if len(vars) == len(s.vars) {
			vars = maps.Clone(s.vars)
		}
		vars[id] = emptyOf(o.node)
	}
	result := p.Eval(s.e.ctx, vars, s.e.limits.Expression)
	if failed, ok := errors.AsType[*expr.EvaluationError](result.Err); ok && !failed.Limit && s.readsSecret(p) {
		result.Err = &expr.EvaluationError{Source: failed.Source, Summary: secretFault}
	}
	return result
}

// denied says why the identity may not read what a program reads, empty when it may.
func (s *projection) denied(p *expr.Program) string {
	why := ""
	for _, ref := range p.References() {
		for _, key := range s.e.beyond(graph.Read{Name: ref.Name, Path: ref.Path}) {
			s.e.reads[key] = true
			if reason, denied := s.e.in.Observed.Denied[key]; denied && why == "" {
				why = "reading " + key.String() + ": " + reason
			}
		}
	}
	return why
}

func (s *projection) readsSecret(p *expr.Program) bool {
	return slices.ContainsFunc(p.References(), func(ref expr.Reference) bool {
		n := s.e.in.Graph.Node(ref.Name)
		return n != nil && (n.ReadsSecret || isSecret(n))
	})
}

// optionalOnly tells for each variable of a program whether all references to it start optionally.
func optionalOnly(p *expr.Program) map[string]bool {
	out := map[string]bool{}
	for _, ref := range p.References() {
		before, seen := out[ref.Name]
		out[ref.Name] = ref.Optional && (before || !seen)
	}
	return out
}

func (s *projection) status(body *graph.Body) {
	out := template.Render(body, s.eval, template.Status)
	s.plan.Status, _ = out.Value.(map[string]any)
	for _, fault := range out.Faults {
		s.fault(s.field(fault.Path), fault)
	}
	for _, m := range out.Missing {
		s.miss(s.field(m.Path), m)
	}
}

// field is the path within the status of a place in the document.
func (s *projection) field(path string) string {
	if body := s.e.in.Graph.Status(); body != nil && len(path) > len(body.Path) {
		return "status" + path[len(body.Path):]
	}
	return "status"
}

func (s *projection) fault(field string, fault template.Fault) {
	s.plan.Faults = append(s.plan.Faults, plan.StatusFault{Path: field, Message: fault.String(), Denied: fault.Denied})
}

// miss sorts out why a projection has no value: an input that is not set is a fault, a reading that did not come
// about keeps the last value, everything else is just not there yet.
func (s *projection) miss(field string, m template.Missing) {
	other := s.e.outcomes[m.Name]
	switch {
	case other != nil && other.denied:
		s.plan.Faults = append(s.plan.Faults, plan.StatusFault{Path: field, Message: other.plan.Message, Denied: true})
	case other != nil && other.unread:
		s.plan.Passing = true
		s.plan.Unknown = append(s.plan.Unknown, field)
	case other != nil && !other.there:
	case m.Root == expr.Input:
		s.plan.Faults = append(s.plan.Faults, plan.StatusFault{Path: field, Message: m.Path + ": " + notSet(m.Missing)})
	case m.Root == expr.Local:
		s.plan.Faults = append(s.plan.Faults, plan.StatusFault{Path: field, Message: m.Path + ": " + leftOut(m.Missing)})
	}
}

// condition adds the condition, or the list of them, that one expression gives.
func (s *projection) condition(field string, c *graph.Condition) {
	result := s.eval(c.Program)
	if result.Err != nil {
		s.fault(field, template.FaultOf(c.Path, c.Program, result.Err))
		return
	}
	for _, m := range result.Missing {
		s.miss(field, template.Missing{Path: c.Path, Missing: m})
	}
	if len(result.Missing) > 0 || result.Omitted {
		return
	}
	list, isList := result.Value.([]any)
	if !isList {
		list = []any{result.Value}
	}
	for _, value := range list {
		condition, why := conditionOf(value)
		if why != "" {
			s.fault(field, template.NewFault(c.Path, c.Program, why))
			continue
		}
		s.plan.Conditions = append(s.plan.Conditions, condition)
	}
}

// conditionOf reads a condition that runtime.newCondition made, or says why it is none.
func conditionOf(value any) (plan.Condition, string) {
	fields, ok := value.(map[string]any)
	if !ok {
		return plan.Condition{}, "a condition is made with runtime.newCondition({type, status, reason, message})"
	}
	c := plan.Condition{
		Type: text(fields, "type"), Status: text(fields, "status"),
		Reason: text(fields, "reason"), Message: text(fields, "message"),
	}
	switch {
	case c.Type == "":
		return c, "a condition needs a type"
	case !slices.Contains([]string{"True", "False", "Unknown"}, c.Status):
		return c, `the status of a condition is "True", "False" or "Unknown"`
	case c.Reason == "":
		c.Reason = c.Type
	}
	return c, ""
}
