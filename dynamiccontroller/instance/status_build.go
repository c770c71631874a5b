package instance

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/runtime/plan"
)

// statusOf builds the whole status from what the pass found; state, conditions and resources come from one verdict, so
// that they cannot disagree.
func (c *Controller) statusOf(p *pass) map[string]any {
	old, _ := p.instance.Object["status"].(map[string]any)
	if p.suspended {
		return suspendedStatus(p, old)
	}
	v := verdictOf(p)
	out := map[string]any{}
	if p.evaluated {
		project(out, p, old)
	} else {
		keepAuthors(out, old)
	}
	out["state"] = string(v.state)
	out["observedGeneration"] = p.instance.GetGeneration()
	if p.revision > 0 && p.graph != nil {
		out["revision"] = p.revision
	}
	setAccount(out, p, old)
	setIf(out, "lastHandledReconcileAt", p.instance.GetAnnotations()[v1alpha1.AnnotationReconcileAt])
	resources, omitted := resourcesOf(p, old)
	if len(resources) > 0 {
		out["resources"] = resources
	}
	if omitted > 0 {
		out["resourcesOmitted"] = omitted
	}
	if v.state == StateInProgress && p.evaluated {
		v.message += sinceText(resources)
	}
	out["conditions"] = mergeConditions(old, p.conditions(v), p.began)
	return out
}

// suspendedStatus leaves everything as it was and says that nothing is done.
func suspendedStatus(p *pass, old map[string]any) map[string]any {
	out := maps.Clone(old)
	if out == nil {
		out = map[string]any{}
	}
	delete(out, "conditions")
	kept := conditionsOf(old)
	kept = slices.DeleteFunc(kept, func(c condition) bool { return c.kind == v1alpha1.ConditionSuspended })
	kept = append(kept, condition{
		kind: v1alpha1.ConditionSuspended, status: "True", reason: v1alpha1.ReasonSuspended,
		message:  "nothing is written for this instance; deleting it works",
		observed: p.instance.GetGeneration(),
	})
	out["conditions"] = mergeConditions(old, kept, p.began)
	return out
}

// reserved are the fields of status that the engine writes itself.
var reserved = []string{
	"state", "conditions", "observedGeneration", "revision", "resources", "serviceAccount", "resourcesOmitted", "lastHandledReconcileAt",
}

func project(out map[string]any, p *pass, old map[string]any) {
	for k, v := range p.plan.Status {
		if !slices.Contains(reserved, k) {
			out[k] = normal(v)
		}
	}
	for _, path := range p.plan.Unknown {
		keepLast(out, old, strings.Split(strings.TrimPrefix(path, "status."), "."))
	}
}

// keepAuthors keeps all projections while nothing could be evaluated.
func keepAuthors(out, old map[string]any) {
	for k, v := range old {
		if !slices.Contains(reserved, k) {
			out[k] = v
		}
	}
}

// keepLast takes the value of a path from the old status, if there is one and no new one.
func keepLast(out, old map[string]any, path []string) {
	value, ok := old[path[0]]
	if !ok {
		return
	}
	if len(path) == 1 {
		if _, told := out[path[0]]; !told {
			out[path[0]] = value
		}
		return
	}
	below, ok := value.(map[string]any)
	if !ok {
		return
	}
	inner, _ := out[path[0]].(map[string]any)
	inner = maps.Clone(inner)
	if inner == nil {
		inner = map[string]any{}
	}
	keepLast(inner, below, path[1:])
	if len(inner) > 0 {
		out[path[0]] = inner
	}
}

// setAccount records who acts. That the engine acts as itself is the empty name; nobody has acted yet without any.
func setAccount(out map[string]any, p *pass, old map[string]any) {
	if account := p.acting.String(); account != "" || p.acting.Self {
		out["serviceAccount"] = account
	} else if last, isRecorded := old["serviceAccount"]; isRecorded {
		out["serviceAccount"] = last
	}
}

func setIf(out map[string]any, key, value string) {
	if value != "" {
		out[key] = value
	}
}

// normal gives a value in the types that decoding JSON gives, so that it compares equal with what the server stored.
func normal(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			out[k] = normal(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = normal(item)
		}
		return out
	case int:
		return int64(v)
	case int32:
		return int64(v)
	case uint64:
		return int64(v)
	case float64:
		if v == float64(int64(v)) && v < 1e15 && v > -1e15 {
			return int64(v)
		}
		return v
	default:
		return v
	}
}

// sinceText is ` (since 12:03:10Z)`: since when the first of what is not ready has been standing there.
func sinceText(resources []any) string {
	for _, item := range resources {
		entry, _ := item.(map[string]any)
		state := plan.NodeState(text(entry, "state"))
		if state == plan.Ready || state == plan.Excluded {
			continue
		}
		if at, err := time.Parse(time.RFC3339, text(entry, "since")); err == nil {
			return " (since " + at.UTC().Format("15:04:05Z") + ")"
		}
	}
	return ""
}
