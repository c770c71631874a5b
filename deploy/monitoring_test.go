package deploy

import (
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// TestMonitoring reads what is made for the Prometheus operator as that reads it, and refuses fields that it does not have.
func TestMonitoring(t *testing.T) {
	seen := map[string]bool{}
	for document := range strings.SplitSeq(read(t, "kustomize", "components", "monitoring", "monitoring.yaml"), "\n---\n") {
		var kind metav1.TypeMeta
		if err := yaml.Unmarshal([]byte(document), &kind); err != nil {
			t.Fatal(err)
		}
		var into any
		switch kind.Kind {
		case monitoringv1.ServiceMonitorsKind:
			into = &monitoringv1.ServiceMonitor{}
		case monitoringv1.PrometheusRuleKind:
			into = &monitoringv1.PrometheusRule{}
		default:
			continue
		}
		seen[kind.Kind] = true
		if want := monitoringv1.SchemeGroupVersion.String(); kind.APIVersion != want {
			t.Errorf("%s is of %q, want %q", kind.Kind, kind.APIVersion, want)
		}
		if err := yaml.UnmarshalStrict([]byte(document), into); err != nil {
			t.Errorf("%s: %v", kind.Kind, err)
		}
	}
	if len(seen) != 2 {
		t.Errorf("only %v were there", seen)
	}
}
