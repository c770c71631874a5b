package ready

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// parse reads an object as the API server's answers are read, with int64.
func parse(t *testing.T, apiVersionKind, rest string) map[string]any {
	t.Helper()
	obj := map[string]any{}
	if err := yaml.Unmarshal([]byte(rest), &obj); err != nil {
		t.Fatal(err)
	}
	obj["apiVersion"], obj["kind"], _ = strings.Cut(apiVersionKind, " ")
	raw, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	o := &unstructured.Unstructured{}
	if err := o.UnmarshalJSON(raw); err != nil {
		t.Fatal(err)
	}
	return o.Object
}

// readyTest gives the object's kind and the rest of it; an empty why stands for ready.
type readyTest struct{ name, kind, object, why string }

func runReady(t *testing.T, tests []readyTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.kind+" "+tt.name, func(t *testing.T) {
			obj := parse(t, tt.kind, tt.object)
			before := runtime.DeepCopyJSON(obj)
			ready, why := IsReady(obj)
			if ready != (tt.why == "") || why != tt.why {
				t.Errorf("IsReady = %v, %q; want %v, %q", ready, why, tt.why == "", tt.why)
			}
			if diff := cmp.Diff(before, obj); diff != "" {
				t.Errorf("IsReady changed the object:\n%s", diff)
			}
		})
	}
}

func TestReadyOfEveryKind(t *testing.T) {
	runReady(t, []readyTest{
		{"being deleted", "v1 ConfigMap", `metadata: {deletionTimestamp: "2026-01-01T00:00:00Z"}`, "it is being deleted"},
		{"being deleted", "batch/v1 Job", `{metadata: {deletionTimestamp: "2026-01-01T00:00:00Z"}}`, "it is being deleted"},
		{"as soon as it exists", "v1 ConfigMap", ``, ""},
		{"as soon as it exists", "v1 Secret", ``, ""},
		{"as soon as it exists", "batch/v1 CronJob", ``, ""},
		{"seen", "policy/v1 PodDisruptionBudget", `{metadata: {generation: 2}, status: {observedGeneration: 2}}`, ""},
		{"not seen", "policy/v1 PodDisruptionBudget", `{metadata: {generation: 2}, status: {observedGeneration: 1}}`,
			"its controller has not seen the latest change yet"},
		{"garbled", "v1 ConfigMap", `status: {conditions: none}`,
			"its status cannot be read: cannot restore slice from string"},
	})
}

func TestReadyOfCustomResources(t *testing.T) {
	runReady(t, []readyTest{
		{"says so", "db.example.com/v1 Database", `status: {conditions: [{type: Ready, status: "True"}]}`, ""},
		{"says no", "db.example.com/v1 Database",
			`status: {conditions: [{type: Ready, status: "False", reason: Creating, message: "the disk\nis made"}]}`,
			"it is not ready: the disk is made"},
		{"says no in a word", "db.example.com/v1 Database",
			`status: {conditions: [{type: Ready, status: Unknown, reason: Creating}]}`, "it is not ready: Creating"},
		{"says nothing", "db.example.com/v1 Database", `status: {phase: up}`, "its controller has reported nothing yet"},
		{"is silent but seen", "db.example.com/v1 Database", `{metadata: {generation: 1}, status: {observedGeneration: 1}}`, ""},
		{"has not seen the change", "db.example.com/v1 Database",
			`{metadata: {generation: 2}, status: {observedGeneration: 1, conditions: [{type: Ready, status: "True"}]}}`,
			"its controller has not seen the latest change yet"},
		{"was never seen", "apps.plait.run/v1alpha1 WebApp", `{metadata: {generation: 1}, status: {observedGeneration: -1}}`,
			"its controller has not seen the latest change yet"},
		{"is reconciling", "db.example.com/v1 Database",
			`status: {conditions: [{type: Reconciling, status: "True", reason: Busy, message: copying}, {type: Ready, status: "True"}]}`,
			"copying"},
		{"is stalled", "db.example.com/v1 Database",
			`status: {conditions: [{type: Stalled, status: "True", reason: Full, message: the disk is full}]}`, "the disk is full"},
	})
}

func TestNothingIsNotReady(t *testing.T) {
	if ready, why := IsReady(nil); ready || why != "it does not exist yet" {
		t.Errorf("IsReady(nil) = %v, %q", ready, why)
	}
}

func TestMessagesOfOthersAreCut(t *testing.T) {
	_, why := IsReady(map[string]any{
		"apiVersion": "v1", "kind": "Database",
		"status": map[string]any{"conditions": []any{
			map[string]any{"type": "Ready", "status": "False", "message": strings.Repeat("ä", 300)},
		}},
	})
	if want := "it is not ready: " + strings.Repeat("ä", 200) + "…"; why != want {
		t.Errorf("why = %q, want %q", why, want)
	}
}
