package compile

import (
	"fmt"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/graph/ready"
)

// checkReadiness refuses isReady() where it could never be told, and warns of claims that wait for each other.
func checkReadiness(s *state) {
	needed := map[string]bool{}
	for _, n := range s.nodes {
		for _, need := range n.out.Needs {
			needed[need.ID] = true
		}
	}
	for _, n := range s.nodes {
		for _, t := range n.texts {
			if t.use != useReady || t.prog == nil || !t.prog.Calls(expr.IsReadyFunction) {
				continue
			}
			s.checkIsReady(n, t, needed[n.out.ID])
		}
	}
}

func (s *state) checkIsReady(n *node, t *text, isNeeded bool) {
	gvk := n.out.GVK
	switch {
	case n.out.Kind == graph.Def:
		s.reportAt(diag.GraphReadiness, t.place(), "a def is ready as soon as it has a value: isReady() says nothing of it", "Leave readyWhen out.")
	case n.out.Installed && !ready.Knows(gvk, n.kind.Schema):
		s.reportAt(diag.GraphReadiness, t.place(),
			fmt.Sprintf("%s does not tell its readiness: Kubernetes' conventions do not know it and its schema has no conditions", gvk.Kind),
			"Compare a field of its status instead: ${self.status.… == …}")
	case isNeeded && gvk.Group == "" && gvk.Kind == "PersistentVolumeClaim":
		s.warn(diag.GraphClaim, t.place(),
			"a claim of a class that binds on first use never becomes bound while its user waits for it", "Leave readyWhen out unless the class binds at once.")
	}
}
