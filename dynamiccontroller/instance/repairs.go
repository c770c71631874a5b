package instance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/managedfields"
	"github.com/plait-run/plait/runtime/plan"
)

// A child that is changed back this often within this time has a rival, with whom fighting helps nobody.
const (
	maxRepairs = 5
	repairTime = 10 * time.Minute
)

// yieldToRivals leaves alone what was repaired too often of late, for longer each time, and says who else writes it.
func (c *Controller) yieldToRivals(ctx context.Context, p *pass, todo []plan.Object) (yielded bool) {
	for _, o := range todo {
		live := p.observed.Children[o.Key]
		if live == nil {
			continue
		}
		difference := p.owner.Compare(o, live)
		if difference.Content {
			delete(p.memory.repairs, o.Key)
			continue
		}
		recent := slices.DeleteFunc(p.memory.repairs[o.Key], func(at time.Time) bool { return p.began.Sub(at) > repairTime })
		p.memory.repairs[o.Key] = append(recent, p.began)
		c.metrics.repaired(c.gvr)
		if len(recent) < maxRepairs {
			continue
		}
		c.takeFault(p, o, plan.Fault{Reason: plan.ReasonConflict, Message: c.rivalText(ctx, p, o, difference.Lost)})
		yielded = true
	}
	return yielded
}

// rivalText names the fields and, where they can be read, the other managers that own them.
func (c *Controller) rivalText(ctx context.Context, p *pass, o plan.Object, lost []string) string {
	names := make([]string, len(lost))
	for i, path := range lost {
		names[i] = strings.TrimPrefix(path, ".")
	}
	text := fmt.Sprintf("somebody changes %s again and again; it is left alone for a while: let one of both write it", plan.Some(names, ", "))
	live, err := p.api.Get(ctx, apply.Place{Resource: o.Resource, Namespace: o.Key.Namespace, Name: o.Key.Name})
	if err != nil {
		return text
	}
	if managers := managedfields.Rivals(live, v1alpha1.FieldManager, lost); len(managers) > 0 {
		return strings.Replace(text, "somebody changes", strings.Join(managers, ", ")+" changes", 1)
	}
	return text
}

// tidy forgets what concerns children that are gone.
func (m *memory) tidy(children map[plan.Key]map[string]any, wanted plan.Plan) {
	current := map[plan.Key]bool{}
	for _, n := range wanted.Nodes {
		for _, o := range n.Objects {
			current[o.Key] = true
		}
	}
	for key := range m.setbacks {
		if !current[key] {
			delete(m.setbacks, key)
		}
	}
	for key := range m.repairs {
		if _, there := children[key]; !there {
			delete(m.repairs, key)
		}
	}
	for uid := range m.accepted {
		there := false
		for _, live := range children {
			there = there || uidOf(live) == uid
		}
		if !there {
			delete(m.accepted, uid)
		}
	}
}
