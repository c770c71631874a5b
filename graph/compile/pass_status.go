package compile

import (
	"fmt"
	"slices"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/graph/source"
)

// reservedStatus are the fields that Plait writes into every status. conditions may hold the author's too.
var reservedStatus = []string{
	"state", "observedGeneration", "revision", "resources", "resourcesOmitted", "serviceAccount", "lastHandledReconcileAt",
}

// compileStatus checks the projections and infers the schema of the status from their types.
func compileStatus(s *state) {
	src := s.group.Schema.Status
	if src == nil || src.Kind != source.Map {
		return
	}
	n := &node{src: &source.Node{Path: src.Path}, out: &graph.Node{}, env: s.base}
	sc := scanner{s: s, n: n}
	tree := &graph.Body{Path: src.Path, Fields: []graph.BodyField{}}
	for _, f := range src.Fields {
		switch {
		case s.isComputedKey(f):
		case slices.Contains(reservedStatus, f.Key):
			s.report(diag.StatusReserved, f.Value, fmt.Sprintf("the status field %s is written by Plait itself", f.Key), "Use another name.")
		case f.Key == "conditions":
			s.scanConditions(&sc, f.Value)
		default:
			s.refuseLiterals(f.Value)
			tree.Fields = append(tree.Fields, graph.BodyField{Key: f.Key, Value: sc.body(f.Value)})
		}
	}
	for _, t := range n.texts {
		s.compileText(s.base, n, t)
	}
	s.checkConditions(n)
	s.conditions = slices.DeleteFunc(s.conditions, func(c *graph.Condition) bool { return c.Program == nil })
	s.checkStatusTexts(n)
	if len(tree.Fields) > 0 {
		s.status = tree
	}
	s.statusSchema = statusSchema(tree)
}

// checkStatusTexts refuses what a status cannot hold, and reads that have no meaning.
func (s *state) checkStatusTexts(n *node) {
	for _, t := range n.texts {
		if t.prog == nil {
			continue
		}
		if ok, why, suggestion := expr.DynamicType().Accepts(t.prog.Type()); !ok {
			s.reportAt(diag.ExprType, t.place(), why, suggestion)
		}
		for _, ref := range t.prog.References() {
			if s.byID[ref.Name] == nil {
				s.checkInstanceReference(t, ref.Name, ref.Path)
			}
		}
	}
}

// refuseLiterals reports every value of a projection that holds no expression.
func (s *state) refuseLiterals(v *source.Value) {
	switch {
	case len(v.Fields) > 0:
		for _, f := range v.Fields {
			if !s.isComputedKey(f) {
				s.refuseLiterals(f.Value)
			}
		}
	case len(v.Items) > 0:
		for _, item := range v.Items {
			s.refuseLiterals(item)
		}
	case v.Kind == source.String && hasExpression(v.Text()):
	default:
		s.report(diag.StatusLiteral, v, "a status field needs an expression: it tells of what is, not of what is written",
			"Write ${…}; schema.status holds values, not types.")
	}
}

// isComputedKey reports a field whose name holds an expression: the schema of the status has to name it.
func (s *state) isComputedKey(f source.Field) bool {
	if !hasExpression(f.Key) {
		return false
	}
	s.reportAt(diag.StatusLiteral, place{f.Value.Path, f.KeyPosition}, "the name of a status field cannot be computed", "Write the name out, or give the field a map: ${{key: value}}.")
	return true
}

func (s *state) scanConditions(sc *scanner, v *source.Value) {
	if v.Kind != source.List {
		s.report(diag.StatusReserved, v, "status.conditions takes a list of expressions", "Write ${runtime.newCondition({…})} as its items.")
		return
	}
	sc.conditions(v.Items, useBody, &s.conditions)
}

// checkConditions refuses expressions in status.conditions that give neither a condition nor a list of them.
func (s *state) checkConditions(n *node) {
	wanted := expr.ConditionType()
	for i, c := range s.conditions {
		if c.Program == nil {
			continue
		}
		typ := c.Program.Type()
		if typ.Kind() == expr.List {
			typ = typ.Elem()
		}
		if typ.Kind() == expr.Dynamic || typ.Equal(wanted) {
			continue
		}
		at := slices.IndexFunc(n.texts, func(t *text) bool { return t.path == c.Path })
		s.reportAt(diag.ExprType, n.texts[at].place(), fmt.Sprintf("a condition is expected here, and the expression gives %s", c.Program.Type()),
			"Make it with runtime.newCondition({type: …, status: …, reason: …, message: …}).")
		s.conditions[i].Program = nil
	}
}
