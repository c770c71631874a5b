package crd

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

const costHint = "Set maxItems, maxProperties or maxLength on the lists, maps and strings that the rule reads."

// explainRule says what is wrong with a validation rule, without the compiler's drawing.
func explainRule(err *field.Error) (summary, suggestion string) {
	detail := strings.TrimPrefix(err.Detail, "compilation failed: ")
	if err.Type == field.ErrorTypeForbidden {
		what, _, _ := strings.Cut(detail, " (try")
		return "the rule may cost too much: " + what, costHint
	}
	first, _, _ := strings.Cut(detail, "\n")
	if _, after, ok := strings.Cut(first, "ERROR: <input>:"); ok {
		if place, text, ok := strings.Cut(after, ": "); ok {
			first = text + " (at " + place + " of the rule)"
		}
	}
	first = strings.ReplaceAll(first, " (in container '')", "")
	if strings.HasPrefix(first, "oldSelf cannot be used") {
		suggestion = "Elements have no former self unless the list has listType=map."
	}
	return "the rule cannot be used: " + first, suggestion
}
