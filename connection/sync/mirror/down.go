package mirror

import (
	"reflect"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/plait-run/plait/api/v1alpha1"
)

const observedGeneration = "observedGeneration"

// Down gives the status that a consumer's object gets of its copy, nil for none. Generations are translated: what speaks
// of the copy as it is now speaks of the generation that made it, everything else of one before, so that a check of
// readiness holds. The copy is not changed.
func Down(live *unstructured.Unstructured) any {
	status, ok := live.Object["status"]
	if !ok || status == nil {
		return nil
	}
	out := runtime.DeepCopyJSONValue(status)
	fields, ok := out.(map[string]any)
	if !ok {
		return out
	}
	t := translation{of: live.GetGeneration()}
	t.to, _ = strconv.ParseInt(live.GetAnnotations()[v1alpha1.AnnotationConsumerGeneration], 10, 64)
	t.apply(fields)
	conditions, _ := fields["conditions"].([]any)
	for _, item := range conditions {
		if c, ok := item.(map[string]any); ok {
			t.apply(c)
		}
	}
	return out
}

// translation is of generations of a copy to those of its object.
type translation struct{ of, to int64 }

func (t translation) apply(fields map[string]any) {
	seen, ok := fields[observedGeneration].(int64)
	switch {
	case !ok:
	case seen == t.of:
		fields[observedGeneration] = t.to
	default:
		fields[observedGeneration] = t.to - 1
	}
}

// A Problem is why an object is not copied, in words for its user. The zero value: none.
type Problem struct {
	Reason  v1alpha1.Reason
	Message string
}

// WithProblem puts the condition Synced=False into a status that goes to the consumer's object. had is the status that
// this one has: a condition that says the same keeps its time. status is changed.
func WithProblem(status, had any, problem Problem, of *unstructured.Unstructured, now time.Time) any {
	fields, ok := WithoutProblem(status).(map[string]any)
	if !ok {
		fields = map[string]any{}
	}
	condition := map[string]any{
		"type": string(v1alpha1.ConditionSynced), "status": "False", "reason": string(problem.Reason),
		"message": problem.Message, observedGeneration: of.GetGeneration(),
		"lastTransitionTime": now.UTC().Format(time.RFC3339),
	}
	before := conditionOf(had)
	if before["status"] == "False" && before["lastTransitionTime"] != nil {
		condition["lastTransitionTime"] = before["lastTransitionTime"]
	}
	list, _ := fields["conditions"].([]any)
	fields["conditions"] = append(list, condition)
	return fields
}

// WithoutProblem gives a status without the condition that WithProblem puts there. The given one is not changed.
func WithoutProblem(status any) any {
	fields, ok := runtime.DeepCopyJSONValue(status).(map[string]any)
	if !ok {
		return status
	}
	list, ok := fields["conditions"].([]any)
	if !ok {
		return fields
	}
	fields["conditions"] = slices.DeleteFunc(list, func(item any) bool {
		c, _ := item.(map[string]any)
		return c["type"] == string(v1alpha1.ConditionSynced)
	})
	return fields
}

// conditionOf gives the condition Synced of a status; nil: none.
func conditionOf(status any) map[string]any {
	fields, _ := status.(map[string]any)
	list, _ := fields["conditions"].([]any)
	for _, item := range list {
		if c, ok := item.(map[string]any); ok && c["type"] == string(v1alpha1.ConditionSynced) {
			return c
		}
	}
	return nil
}

// IsSame tells whether two statuses say the same. None and an empty one are the same.
func IsSame(a, b any) bool { return isNone(a) && isNone(b) || reflect.DeepEqual(a, b) }

func isNone(status any) bool {
	fields, ok := status.(map[string]any)
	return status == nil || ok && len(fields) == 0
}
