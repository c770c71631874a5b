package instance

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/runtime/plan"
)

func TestMetricsOfAPass(t *testing.T) {
	m, gvr := NewMetrics(), schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "webapps"}
	kept, written := plan.Key{Kind: "ConfigMap", Name: "kept"}, plan.Key{Kind: "ConfigMap", Name: "written"}
	p := &pass{evaluated: true, writes: map[plan.Key]int{written: 1}, plan: plan.Plan{Nodes: []plan.Node{
		{ID: "a", State: plan.Ready, Objects: []plan.Object{{Key: kept, Action: plan.Keep}, {Key: written, Action: plan.Keep}}},
		{ID: "b", State: plan.Failed},
	}}}
	m.applied(gvr, nil)
	m.tell(gvr, p, InstanceState{})
	m.tell(gvr, p, p.stateFor(StateFailed))
	m.repaired(gvr)
	want := `
# HELP plait_applies_total Objects that a pass wanted, by result: written, skipped (the cluster holds them already), failed.
# TYPE plait_applies_total counter
plait_applies_total{resource="webapps.v1.example.com",result="skipped"} 2
plait_applies_total{resource="webapps.v1.example.com",result="written"} 1
# HELP plait_drift_repairs_total Children that somebody else had changed, and that were changed back.
# TYPE plait_drift_repairs_total counter
plait_drift_repairs_total{resource="webapps.v1.example.com"} 1
# HELP plait_node_outcomes_total Changes of the state of nodes, by the new state.
# TYPE plait_node_outcomes_total counter
plait_node_outcomes_total{resource="webapps.v1.example.com",state="Failed"} 1
plait_node_outcomes_total{resource="webapps.v1.example.com",state="Ready"} 1
`
	if err := testutil.CollectAndCompare(m, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
	m.Forget("webapps.v1.example.com")
	if n := testutil.CollectAndCount(m); n != 0 {
		t.Errorf("%d series are left of a kind that is gone", n)
	}
}

func TestNoMetrics(t *testing.T) {
	var m *Metrics
	m.applied(schema.GroupVersionResource{}, nil)
	m.repaired(schema.GroupVersionResource{})
	m.tell(schema.GroupVersionResource{}, &pass{evaluated: true, plan: plan.Plan{Nodes: []plan.Node{{ID: "a"}}}}, InstanceState{})
}
