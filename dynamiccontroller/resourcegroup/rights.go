package resourcegroup

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/graph"
)

// EngineRights tells what the engine itself lacks.
type EngineRights interface {
	// Missing gives what serving a graph takes and the engine may not do, `verb resource` each, and the role that gives
	// all that the graph takes, as YAML.
	Missing(ctx context.Context, g *graph.Graph) (missing []string, role string, err error)
}

const (
	rightsTime = 30 * time.Second // between questions while a right is missing
	maxRights  = 10               // that are named
	maxRole    = 24 << 10         // bytes of a role that a message shows
)

// sayForbidden asks whether the engine may do what the served graph takes, until it may. It tells whether rights are
// missing, and says which.
func (r *Reconciler) sayForbidden(ctx context.Context, p *pass) bool {
	g := p.memory.serving
	if r.deps.Rights == nil || g == nil || p.memory.permitted == g {
		return false
	}
	missing, role, err := r.deps.Rights.Missing(ctx, g)
	if err != nil {
		r.deps.Log.Error(err, "asking for the engine's rights", "group", p.name)
		p.again = rightsTime
		return false
	}
	if len(missing) == 0 {
		p.memory.permitted = g
		return false
	}
	p.again, p.quiet = rightsTime, false
	p.say(v1alpha1.ConditionControllerReady, "False", v1alpha1.ReasonEngineForbidden, forbiddenText(missing, role))
	return true
}

func forbiddenText(missing []string, role string) string {
	named := strings.Join(missing[:min(len(missing), maxRights)], ", ")
	if more := len(missing) - maxRights; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	if len(role) > maxRole {
		return fmt.Sprintf("the engine may not %s; apply the first document that `plait rbac` prints for this group", named)
	}
	return fmt.Sprintf("the engine may not %s; apply this role, which `plait rbac` prints first:\n%s", named, role)
}
