package inspect

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// at gives what a path of keys leads to; nil when anything of it is not there. What it gives belongs to the object.
func at(object map[string]any, path ...string) any {
	found, _, _ := unstructured.NestedFieldNoCopy(object, path...)
	return found
}

func textAt(object map[string]any, path ...string) string {
	text, _ := at(object, path...).(string)
	return text
}

func numberAt(object map[string]any, path ...string) int64 {
	n, _ := at(object, path...).(int64)
	return n
}

// entriesAt gives the objects of a list.
func entriesAt(object map[string]any, path ...string) []map[string]any {
	list, _ := at(object, path...).([]any)
	var out []map[string]any
	for _, entry := range list {
		if m, ok := entry.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

func textsAt(object map[string]any, path ...string) []string {
	list, _ := at(object, path...).([]any)
	var out []string
	for _, entry := range list {
		if text, ok := entry.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

func timeAt(object map[string]any, path ...string) *time.Time {
	t, err := time.Parse(time.RFC3339, textAt(object, path...))
	if err != nil {
		return nil
	}
	t = t.UTC()
	return &t
}

func conditionsOf(object map[string]any) []Condition {
	var out []Condition
	for _, c := range entriesAt(object, "status", "conditions") {
		kind := textAt(c, "type")
		if kind == "" {
			continue
		}
		out = append(out, Condition{
			Type: kind, Status: textAt(c, "status"), Reason: textAt(c, "reason"), Message: textAt(c, "message"),
			Since: timeAt(c, "lastTransitionTime"),
		})
	}
	return out
}

// isBehind tells of a status that is of an older generation than the spec, or of none. A status without a generation
// tells nothing.
func isBehind(u *unstructured.Unstructured) bool {
	observed, ok := at(u.Object, "status", "observedGeneration").(int64)
	return ok && observed != u.GetGeneration()
}
