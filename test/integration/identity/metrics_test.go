package identity_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

// TestMetrics follows an instance through a real scrape: its series come, count, and go.
func TestMetrics(t *testing.T) {
	w := shared.Tenant(t, "measured")
	w.Grant("children", configMaps)
	w.Serve(strings.NewReplacer("settings.", "measures.", "Setting", "Measure").Replace(settings))
	w.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: Measure, metadata: {name: a}}")
	w.WaitReady("Measure", "a", "True/Available")
	drift := []byte(`{"data":{"text":"changed"}}`)
	if _, err := w.At("ConfigMap").Patch(t.Context(), "a", types.MergePatchType, drift, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	const kind = `resource="measures.v1alpha1.apps.plait.run"`
	for _, series := range []string{
		`plait_instances{` + kind + `,state="ACTIVE"} 1`,
		`plait_active_duration_seconds_count{` + kind + `} 1`,
		`plait_reconcile_duration_seconds_count{` + kind + `,result="success"}`,
		`plait_node_outcomes_total{` + kind + `,state="Ready"} 1`,
		`plait_applies_total{` + kind + `,result="written"} 2`,
		`plait_drift_repairs_total{` + kind + `} 1`,
		`plait_evaluation_duration_seconds_count{` + kind + `}`,
		`plait_expression_evaluations_total{` + kind + `}`,
		`plait_expression_cost_total{` + kind + `}`,
		`plait_queue_depth{` + kind + `} 0`,
		`plait_queue_oldest_seconds{` + kind + `} 0`,
		`controller_runtime_reconcile_total{controller="measures.v1alpha1.apps.plait.run",result="success"}`,
		`plait_resource_group_ready{resource_group="measures.apps.plait.run"} 1`,
		`plait_resource_group_served_revision{resource_group="measures.apps.plait.run"} 1`,
		`plait_compile_duration_seconds_count{result="valid"}`,
		`plait_api_requests_total{purpose="child",result="success",verb="patch"}`,
		`plait_api_requests_total{purpose="claim",result="success",verb="patch"}`,
		`plait_api_requests_total{purpose="status",result="success",verb="patch"}`,
		`plait_cached_objects{resource="configmaps.v1"}`,
		`controller_impersonation_total{namespace="measured",result="success",service_account="deployer"}`,
		`controller_impersonation_duration_seconds_count{namespace="measured",service_account="deployer"}`,
	} {
		world.Eventually(t, "no "+series, func() error {
			if text := running.Scrape(t); !strings.Contains(text, "\n"+series) {
				return fmt.Errorf("it is not among\n%s", ours(text))
			}
			return nil
		})
	}
	areDocumented(t, running.Scrape(t))
	w.Remove("Measure", "a")
	world.Eventually(t, "series stay when the last instance of a namespace is gone", func() error { return holdsNone(running.Scrape(t), `namespace="measured"`) })
	if err := w.At("ResourceGroup").Delete(t.Context(), "measures.apps.plait.run", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	world.Eventually(t, "series stay when the group is gone", func() error {
		return holdsNone(running.Scrape(t), "measures.v1alpha1.apps.plait.run", `resource_group="measures.apps.plait.run"`)
	})
}

// areDocumented holds a scrape against the reference.
func areDocumented(t *testing.T, text string) {
	t.Helper()
	reference, err := os.ReadFile("../../../docs/reference/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^# TYPE ((?:plait|controller_impersonation)_\S+)`).FindAllStringSubmatch(text, -1)
	if len(names) < 18 {
		t.Errorf("only %d metrics: %v", len(names), names)
	}
	for _, name := range names {
		if !strings.Contains(string(reference), "`"+name[1]+"`") {
			t.Errorf("%s is not in the reference", name[1])
		}
	}
}

// ours are the lines of a scrape that are of Plait, or of the library that tells of its controllers.
func ours(text string) string {
	return strings.Join(regexp.MustCompile(`(?m)^(plait|controller_impersonation|controller_runtime|workqueue)_.*$`).FindAllString(text, -1), "\n")
}

func holdsNone(text string, marks ...string) error {
	for line := range strings.SplitSeq(ours(text), "\n") {
		for _, mark := range marks {
			if strings.Contains(line, mark) {
				return fmt.Errorf("there is %s", line)
			}
		}
	}
	return nil
}
