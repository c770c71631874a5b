package ready

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

// IsReady tells whether an object, as the API server gave it, is ready; if not, why, in one short line for people that
// goes on after the object's name: "2 of 3 replicas are available". Whole numbers of the object are int64.
func IsReady(obj map[string]any) (ready bool, why string) {
	if obj == nil {
		return false, "it does not exist yet"
	}
	o := &unstructured.Unstructured{Object: obj}
	if o.GetDeletionTimestamp() != nil {
		return false, "it is being deleted"
	}
	kind := o.GroupVersionKind().GroupKind()
	if rule, ok := rules[kind]; ok {
		return rule(obj)
	}
	result, err := status.Compute(o)
	if err != nil {
		return false, "its status cannot be read: " + oneLine(err.Error())
	}
	if result.Status != status.CurrentStatus {
		return false, reason(kind, obj, result)
	}
	if !isBuiltInRule(o.GroupVersionKind()) && !hasReported(obj) {
		return false, "its controller has reported nothing yet"
	}
	return true, ""
}

// isBuiltInRule tells whether kstatus has a rule for this very kind.
func isBuiltInRule(gvk schema.GroupVersionKind) bool {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(gvk)
	return status.GetLegacyConditionsFn(o) != nil
}

// hasReported tells whether a controller has said anything of an object: kstatus takes silence for success, and so
// would call a custom resource ready before its controller has seen it.
func hasReported(obj map[string]any) bool {
	_, observed, _ := unstructured.NestedFieldNoCopy(obj, "status", "observedGeneration")
	return observed || conditionOf(obj, "Ready").exists
}

// reason says why an object is not ready, in our words where there are any.
func reason(kind schema.GroupKind, obj map[string]any, result *status.Result) string {
	if isBehind(obj) {
		return "its controller has not seen the latest change yet"
	}
	if words, ok := reasons[kind]; ok {
		if why := words(obj); why != "" {
			return why
		}
	}
	if c := conditionOf(obj, "Ready"); c.exists && c.status != "True" {
		return c.why("it is not ready")
	}
	if result.Message == "" {
		return "it is not ready yet"
	}
	return oneLine(result.Message)
}

// isBehind tells whether a controller says that it has seen another generation than the latest.
func isBehind(obj map[string]any) bool {
	generation := status.GetIntField(obj, ".metadata.generation", 0)
	return status.GetIntField(obj, ".status.observedGeneration", generation) != generation
}

// condition is an entry of status.conditions.
type condition struct {
	exists                  bool
	status, reason, message string
}

func conditionOf(obj map[string]any, kind string) condition {
	all, _, _ := unstructured.NestedFieldNoCopy(obj, "status", "conditions")
	items, _ := all.([]any)
	for _, item := range items {
		fields, _ := item.(map[string]any)
		if fields["type"] != kind {
			continue
		}
		c := condition{exists: true}
		c.status, _ = fields["status"].(string)
		c.reason, _ = fields["reason"].(string)
		c.message, _ = fields["message"].(string)
		return c
	}
	return condition{}
}

func (c condition) isTrue() bool { return c.status == "True" }

// why is what the condition gives as the cause of what is said.
func (c condition) why(said string) string {
	switch {
	case c.message != "":
		return said + ": " + oneLine(c.message)
	case c.reason != "":
		return said + ": " + c.reason
	default:
		return said
	}
}

// maxLine is how many letters of somebody else's message are shown.
const maxLine = 200

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if letters := []rune(text); len(letters) > maxLine {
		return string(letters[:maxLine]) + "…"
	}
	return text
}
