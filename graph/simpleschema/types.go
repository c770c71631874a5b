package simpleschema

import (
	"regexp"
	"slices"
	"strings"

	"github.com/plait-run/plait/graph/dag"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

var typeName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// buildTypes builds the named types, those first that others use. Types that hold each other are reported,
// and stand for anything.
func (b *builder) buildTypes(types *source.Value) {
	if types == nil {
		return
	}
	var fields []source.Field
	for _, f := range types.Fields {
		if b.isTypeName(f) {
			fields = append(fields, f)
			b.names = append(b.names, f.Key)
		}
	}
	uses := usesOf(fields)
	edges := make([]dag.Edge, 0, len(uses))
	for _, u := range uses {
		edges = append(edges, dag.Edge{From: u.from, Needs: u.needs})
	}
	sorted := dag.Sort(len(fields), edges)
	for _, cycle := range sorted.Cycles {
		b.reportCycle(cycle, fields, uses)
	}
	for len(sorted.Cycles) > 0 {
		edges = b.breakCycles(fields, sorted.Cycles, edges)
		sorted = dag.Sort(len(fields), edges)
	}
	slices.Sort(b.names)
	for _, i := range sorted.Order {
		if _, isBroken := b.types[fields[i].Key]; !isBroken {
			b.types[fields[i].Key] = b.value(fields[i].Value)
		}
	}
}

func (b *builder) isTypeName(f source.Field) bool {
	summary := ""
	switch _, taken := builtins[f.Key]; {
	case taken:
		summary = "\"" + f.Key + "\" is a type of the language, and cannot be defined again"
	case !typeName.MatchString(f.Key):
		summary = "\"" + f.Key + "\" is no name for a type"
	default:
		return true
	}
	b.problems.Add(diag.Diagnostic{
		File: b.file, Path: f.Value.Path, Position: f.KeyPosition, Code: diag.SchemaType, Summary: summary,
		Suggestion: "Use a name of letters, digits and '_' such as Port.",
	})
	return false
}

// use is one string of a type that names another one.
type use struct {
	from, needs int
	at          *source.Value
}

// usesOf finds which types name which, in the order of the document.
func usesOf(fields []source.Field) []use {
	index := make(map[string]int, len(fields))
	for i, f := range fields {
		index[f.Key] = i
	}
	var out []use
	for i, f := range fields {
		eachString(f.Value, func(v *source.Value) {
			expr, _, _ := parseTypeString(v.Text())
			if expr == nil {
				return
			}
			if needs, ok := index[expr.leafName()]; ok {
				out = append(out, use{from: i, needs: needs, at: v})
			}
		})
	}
	return out
}

func eachString(v *source.Value, visit func(*source.Value)) {
	if v.Kind == source.String {
		visit(v)
	}
	for _, f := range v.Fields {
		if f.Key != validationsKey {
			eachString(f.Value, visit)
		}
	}
}

// reportCycle prints a cycle as `Folder (entries) → Entry (parent) → Folder`, at its first step.
func (b *builder) reportCycle(cycle []int, fields []source.Field, uses []use) {
	var text strings.Builder
	var first *source.Value
	for i, member := range cycle {
		next := cycle[(i+1)%len(cycle)]
		step := uses[slices.IndexFunc(uses, func(u use) bool { return u.from == member && u.needs == next })]
		if first == nil {
			first = step.at
		}
		text.WriteString(fields[member].Key)
		if where := strings.TrimPrefix(strings.TrimPrefix(step.at.Path, fields[member].Value.Path), "."); where != "" {
			text.WriteString(" (" + where + ")")
		}
		text.WriteString(" → ")
	}
	text.WriteString(fields[cycle[0]].Key)
	b.report(first, &fault{
		code: diag.SchemaTypeCycle, summary: "the types hold each other: " + text.String(),
		suggestion: "Use object for one of the fields: a schema cannot contain itself.",
	})
}

// breakCycles lets the types of cycles stand for anything, and gives the edges without theirs, so that the
// others can be ordered.
func (b *builder) breakCycles(fields []source.Field, cycles [][]int, edges []dag.Edge) []dag.Edge {
	for _, member := range slices.Concat(cycles...) {
		b.types[fields[member].Key] = brokenType()
	}
	return slices.DeleteFunc(slices.Clone(edges), func(e dag.Edge) bool {
		_, isBroken := b.types[fields[e.From].Key]
		return isBroken
	})
}
