package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

// State is what a Workspace should say.
type State struct {
	URL             string     // empty: as it is
	Condition       *Condition // nil: there is none
	Phase           Phase      // empty: as it is
	AnnotationPhase Phase      // of the older form; empty: as it is
}

// StatusPatch gives the merge patch of the subresource status that brings condition and phase to what is wanted; nil where
// nothing differs. It holds the object's version, since conditions may be a list that is replaced as a whole.
func StatusPatch(u *unstructured.Unstructured, w Workspace, want State, now time.Time) ([]byte, error) {
	status := map[string]any{}
	if want.Phase != "" && want.Phase != w.Phase {
		status["phase"] = string(want.Phase)
	}
	if !want.Condition.IsSame(w.Condition) {
		status["conditions"] = conditions(u, w.Condition, want.Condition, now)
	}
	if len(status) == 0 {
		return nil, nil
	}
	return patchOf(u, map[string]any{"status": status})
}

// MainPatch gives the merge patch of the object that brings its URL, and the status in the older form's annotation, to what
// is wanted; nil where nothing differs.
func MainPatch(u *unstructured.Unstructured, w Workspace, want State) ([]byte, error) {
	patch := map[string]any{}
	if spec, _ := mapAt(u.Object, "spec"); want.URL != "" && w.ownsURL && spec["URL"] != want.URL {
		patch["spec"] = map[string]any{"URL": want.URL}
	}
	annotation, differs, err := w.annotationWith(want)
	if err != nil {
		return nil, err
	}
	if differs {
		patch["metadata"] = map[string]any{"annotations": map[string]any{v1alpha1.AnnotationMount: annotation}}
	}
	if len(patch) == 0 {
		return nil, nil
	}
	return patchOf(u, patch)
}

func (w *Workspace) annotationWith(want State) (value string, differs bool, err error) {
	if w.Form != Annotation || w.Fault != nil {
		return "", false, nil
	}
	phase, url := w.annotation.Phase, w.annotation.URL
	if want.AnnotationPhase != "" {
		phase = want.AnnotationPhase
	}
	if want.URL != "" {
		url = want.URL
	}
	return w.annotation.with(phase, url)
}

// patchOf adds what the patch depends on: this object, as it was read.
func patchOf(u *unstructured.Unstructured, patch map[string]any) ([]byte, error) {
	metadata, _ := mapAt(patch, "metadata")
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["uid"], metadata["resourceVersion"] = string(u.GetUID()), u.GetResourceVersion()
	patch["metadata"] = metadata
	data, err := json.Marshal(patch)
	if err != nil {
		return nil, fmt.Errorf("writing the patch of Workspace %q: %w", u.GetName(), err)
	}
	return data, nil
}

// conditions gives the whole list with ours in its place, or without it.
func conditions(u *unstructured.Unstructured, had, want *Condition, now time.Time) []any {
	status, _ := mapAt(u.Object, "status")
	list, _ := status["conditions"].([]any)
	at := slices.IndexFunc(list, func(item any) bool {
		c, ok := item.(map[string]any)
		return ok && c["type"] == string(v1alpha1.ConditionWorkspaceMountReady)
	})
	out := slices.Clone(list)
	switch {
	case want == nil && at >= 0:
		out = slices.Delete(out, at, at+1)
	case want == nil:
	case at >= 0:
		out[at] = want.render(had, now)
	default:
		out = append(out, want.render(had, now))
	}
	if out == nil {
		return []any{}
	}
	return out
}

func (c *Condition) render(had *Condition, now time.Time) map[string]any {
	since := now
	if had != nil && had.Status == c.Status && !had.Since.IsZero() {
		since = had.Since
	}
	out := map[string]any{
		"type": string(v1alpha1.ConditionWorkspaceMountReady), "status": c.Status,
		"lastTransitionTime": since.UTC().Format(time.RFC3339),
	}
	for key, value := range map[string]string{
		"severity": string(c.Severity), "reason": string(c.Reason), "message": c.Message,
	} {
		if value != "" {
			out[key] = value
		}
	}
	return out
}
