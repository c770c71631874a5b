package diag

import "embed"

// Explanation is what the reference of diagnostics says about a code.
type Explanation struct {
	Code  Code
	Title string // a short sentence without a full stop
	Why   string // when it is reported
	Cure  string // what to do about it
}

//go:embed examples/*.yaml
var examples embed.FS

// Example is a part of a document that provokes the code: with a dash at its start an entry of spec.resources, with
// spec, types or status a part of spec.schema, with anything else but apiVersion a part of spec. Behind --- stands an
// instance. It is empty when there is none.
func (e Explanation) Example() string {
	text, err := examples.ReadFile("examples/" + string(e.Code) + ".yaml")
	if err != nil {
		return ""
	}
	return string(text)
}

// Stage is a range of codes.
type Stage struct {
	Prefix string // of the codes: PLT3
	Title  string
}

// Stages gives the ranges in the order of the codes.
func Stages() []Stage {
	return []Stage{
		{"PLT0", "The document"}, {"PLT1", "The schema of the new API"}, {"PLT2", "Nodes"}, {"PLT3", "Expressions"},
		{"PLT4", "Templates"}, {"PLT5", "The graph"}, {"PLT6", "Status"}, {"PLT7", "The generated API"}, {"PLT9", "Instances"},
	}
}

// Reference explains every code, in their order. Documents about diagnostics are generated from it.
func Reference() []Explanation {
	var out []Explanation
	for _, part := range [][]Explanation{documentCodes, schemaCodes, nodeCodes, expressionCodes, templateCodes, graphCodes, instanceCodes} {
		out = append(out, part...)
	}
	return out
}

// Explain gives the explanation of a code; false when there is no such code.
func Explain(code Code) (Explanation, bool) {
	for _, e := range Reference() {
		if e.Code == code {
			return e, true
		}
	}
	return Explanation{}, false
}
