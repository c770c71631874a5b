package runtime

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUnreadyIsToldByTheExpression has a node that is not ready say what its author wrote, and no value that this reads.
func TestUnreadyIsToldByTheExpression(t *testing.T) {
	const long = "${self.status.count == 12345678901 || self.status.count == 12345678902 || self.status.count == 12345678903 || " +
		"self.status.count == 12345678904 || self.status.count == 12345678905 || self.status.count == 12345678906}"
	tests := map[string]struct{ readyWhen, status, want string }{
		"it does not hold":         {"${self.status.count > 1}", "{count: 1}", "does not hold: ${self.status.count > 1}"},
		"of several lines":         {"${\n  self.status.count\n    > 1\n}", "{count: 1}", "does not hold: ${self.status.count > 1}"},
		"a value is not there yet": {"${self.status.count > 1}", "{}", "waits for self.status.count: ${self.status.count > 1}"},
		"a long one":               {long, "{count: 1}", "does not hold: " + long[:202] + "…}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g := newGraph(t, "", fixture{id: "job", template: "metadata: {name: job}", readyWhen: []string{tt.readyWhen}})
			p := Preview(t.Context(), Input{Graph: g, Instance: instance(t, "{}")}, []map[string]any{
				object(t, "metadata: {name: job, namespace: shop}\nstatus: "+tt.status),
			})
			if diff := cmp.Diff("ConfigMap shop/job is not ready: readyWhen "+tt.want, p.Nodes[0].Message); diff != "" {
				t.Error(diff)
			}
		})
	}
}
