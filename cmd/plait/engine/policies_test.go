package engine

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admissionregistration/v1"

	"github.com/plait-run/plait/cmd/plait/engine/policy"
)

// TestChartShipsAllPolicies has the chart ship every policy that an engine with all parts installs.
func TestChartShipsAllPolicies(t *testing.T) {
	options := Defaults()
	options.Enable = parts
	names := func(all []*admissionv1.ValidatingAdmissionPolicy) (out []string) {
		for _, p := range all {
			out = append(out, p.Name)
		}
		slices.Sort(out)
		return out
	}
	if diff := cmp.Diff(names(policy.All(true)), names(options.policies())); diff != "" {
		t.Errorf("policies (-chart +engine):\n%s", diff)
	}
}
