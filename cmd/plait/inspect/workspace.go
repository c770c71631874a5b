package inspect

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
)

// workspace fills in a Workspace: the object that it is mounted from, with what hangs on that.
func (g *gatherer) workspace(it *Item, u *unstructured.Unstructured, depth int) {
	standWorkspace(it, u)
	if ref := mountOf(u); ref != nil {
		gvk := schema.FromAPIVersionAndKind(textAt(ref, "apiVersion"), textAt(ref, "kind"))
		part, mount := g.referred(Mount, gvk, textAt(ref, "namespace"), textAt(ref, "name"))
		if mount != nil {
			part = g.object(mount, Mount, depth+1)
		}
		it.Items = append(it.Items, part)
	}
}

// standWorkspace says how a Workspace itself is.
func standWorkspace(it *Item, u *unstructured.Unstructured) {
	it.State = textAt(u.Object, "status", "phase")
	if it.State == "" {
		it.State = stateNew
	}
	it.Health = HealthOf(it.State)
	if c := it.Condition(string(v1alpha1.ConditionWorkspaceMountReady)); c != nil {
		it.Since = c.Since
		if c.Status != "True" {
			it.Reason, it.Message = c.Reason, c.Message
		}
	}
	if url := textAt(u.Object, "spec", "URL"); url != "" {
		it.Notes = append(it.Notes, "served at "+url)
	}
}

// mountOf gives the reference of a Workspace, in either form; nil when it has none that can be read.
func mountOf(u *unstructured.Unstructured) map[string]any {
	if ref, ok := at(u.Object, "spec", "mount", "ref").(map[string]any); ok {
		return ref
	}
	var legacy map[string]any
	if err := json.Unmarshal([]byte(u.GetAnnotations()[v1alpha1.AnnotationMount]), &legacy); err != nil {
		return nil
	}
	ref, _ := at(legacy, "spec", "ref").(map[string]any)
	return ref
}
