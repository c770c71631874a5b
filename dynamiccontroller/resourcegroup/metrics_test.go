package resourcegroup

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

func TestMetricsOfGroups(t *testing.T) {
	w := newWorld(t)
	w.run()
	want := `
# HELP plait_resource_group_latest_revision Number of a group's newest revision.
# TYPE plait_resource_group_latest_revision gauge
plait_resource_group_latest_revision{resource_group="webapps"} 1
# HELP plait_resource_group_ready 1 while the newest revision of a group is served and its controller runs, else 0.
# TYPE plait_resource_group_ready gauge
plait_resource_group_ready{resource_group="webapps"} 1
# HELP plait_resource_group_served_revision Number of the revision that a group serves.
# TYPE plait_resource_group_served_revision gauge
plait_resource_group_served_revision{resource_group="webapps"} 1
`
	if err := testutil.CollectAndCompare(w.reconciler, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
	w.group = nil
	if n := testutil.CollectAndCount(w.reconciler); n != 0 {
		t.Errorf("%d series are left of a group that is gone", n)
	}
}
