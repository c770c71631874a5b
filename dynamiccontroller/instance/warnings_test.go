package instance

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/identity"
)

// TestStraysAreToldOf forges the instance's label in a namespace where it has no children.
func TestStraysAreToldOf(t *testing.T) {
	b := newBench(t, wide(1))
	events := &recorded{}
	b.controller.clients.Recorder = events
	b.mustRun(t)
	events.take()
	for _, name := range []string{"forged", "also"} {
		b.objects[apply.Place{Resource: configMaps, Namespace: "team-z", Name: name}] = map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{
				"name": name, "namespace": "team-z", "uid": "uid-" + name,
				"labels": map[string]any{v1alpha1.LabelOwned: "true", v1alpha1.LabelInstanceUID: "uid-shop"},
			},
		}
	}
	want := []string{"Warning LabelIgnored: ConfigMap team-z/also, ConfigMap team-z/forged: the label plait.run/instance-uid names this instance, " +
		"and it is no child of it; it is left alone"}
	for _, step := range []struct {
		after time.Duration
		want  []string
	}{{0, want}, {time.Minute, nil}, {strayTime, want}} {
		b.now = b.now.Add(step.after)
		b.mustRun(t)
		if diff := cmp.Diff(step.want, events.take()); diff != "" {
			t.Errorf("events after %s more (-want +got):\n%s", step.after, diff)
		}
	}
}

// TestMisspeltSuspensionIsToldOf has a value that means nothing be ignored, and not in silence.
func TestMisspeltSuspensionIsToldOf(t *testing.T) {
	b := newBench(t, wide(1))
	events := &recorded{}
	b.controller.clients.Recorder = events
	b.mustRun(t)
	events.take()
	b.edit(func(u *unstructured.Unstructured) {
		annotations := u.GetAnnotations()
		annotations[v1alpha1.AnnotationReconcile] = "suspend"
		u.SetAnnotations(annotations)
	})
	const says = `the annotation plait.run/reconcile is "suspend", which means nothing. Write "suspended", or drop it`
	for _, want := range [][]string{{"Warning UnknownValue: " + says}, nil} {
		b.mustRun(t)
		if diff := cmp.Diff(want, events.take()); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
	}
	got := conditionOf(b.instance().Object, v1alpha1.ConditionSuspended)
	if got["status"] != "False" || got["message"] != says {
		t.Errorf("the condition is %v", got)
	}
	b.wantState(t, "ACTIVE")
}

// TestWhoDeletes has instances deleted by another engine than the one that made their children.
func TestWhoDeletes(t *testing.T) {
	self := identity.Settings{AllowActingAsSelf: true}
	tests := map[string]struct {
		made, deleted identity.Settings
		accounts      map[string]string // of the group, when it is deleted
		forget        bool              // the status is lost
		want          identity.Identity // zero: nobody
		says          string
	}{
		"as itself, still allowed":         {self, self, nil, false, identity.Identity{Self: true}, ""},
		"as itself, not allowed any more":  {self, identity.Settings{}, nil, false, identity.Identity{Self: true}, ""},
		"as itself, refused meanwhile":     {self, identity.Settings{}, nil, false, identity.Identity{Self: true}, ""},
		"as itself, an account is named":   {self, identity.Settings{}, map[string]string{"*": "new"}, false, identity.Identity{Namespace: "team-a", Name: "new"}, ""},
		"an account":                       {identity.Settings{DefaultServiceAccount: "old"}, self, map[string]string{"*": "new"}, false, identity.Identity{Namespace: "team-a", Name: "old"}, ""},
		"who made it is not known":         {self, identity.Settings{}, nil, true, identity.Identity{}, "nobody may delete the children: no service account is named"},
		"not known, but an account is now": {self, identity.Settings{DefaultServiceAccount: "now"}, nil, true, identity.Identity{Namespace: "team-a", Name: "now"}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, wide(1), WithIdentitySettings(tt.made))
			b.mustRun(t)
			if strings.HasSuffix(name, "refused meanwhile") {
				b.controller.settings = tt.deleted
				b.mustRun(t)
				b.wantState(t, "FAILED")
			}
			if tt.forget {
				b.edit(func(u *unstructured.Unstructured) { unstructured.RemoveNestedField(u.Object, "status") })
			}
			var acted identity.Identity
			acting := b.controller.clients.Acting
			b.controller.clients.Acting = func(id identity.Identity) (apply.API, error) {
				acted = id
				return acting(id)
			}
			b.controller.settings, b.controller.accounts = tt.deleted, tt.accounts
			b.markDeleted(placeOfInstance())
			requests := strings.Join(b.mustRun(t), " ")
			if acted != tt.want || strings.Contains(requests, "delete a") != (tt.want != identity.Identity{}) {
				t.Errorf("%+v acted, want %+v; requests %s", acted, tt.want, requests)
			}
			if tt.says == "" {
				return
			}
			b.wantState(t, "DELETING")
			ready := conditionOf(b.instance().Object, v1alpha1.ConditionReady)
			resolved := conditionOf(b.instance().Object, v1alpha1.ConditionServiceAccountResolved)
			if ready["reason"] != "DeletionForbidden" || !strings.Contains(text(ready, "message"), tt.says) || resolved["reason"] != "NoServiceAccount" {
				t.Errorf("Ready is %v, ServiceAccountResolved is %v", ready, resolved)
			}
		})
	}
}
