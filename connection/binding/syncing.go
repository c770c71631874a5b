package binding

import (
	"context"
	"slices"

	"github.com/plait-run/plait/connection/sync"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// sync has done what was judged, and takes the reports. An API, and what travels, that the stored status does not name yet
// is not begun with: after a crash nobody would know of its finalizers and copies. What has been let go is dropped.
func (r *Reconciler) sync(_ context.Context, p *pass) (step.Outcome, error) {
	p.related = travels(p)
	r.deps.Syncers.Set(p.key, tasksOf(p), p.remote)
	for i := range p.related {
		a := &p.related[i]
		a.report, a.reported = r.deps.Syncers.Report(a.task.Key)
	}
	for i := range p.apis {
		a := &p.apis[i]
		if a.judgement.runs {
			a.report, a.reported = r.deps.Syncers.Report(a.task.Key)
		}
	}
	before := len(p.apis) + len(p.related)
	p.related = slices.DeleteFunc(p.related, func(a api) bool {
		if isDone(a) {
			p.parted = append(p.parted, a.name)
		}
		return isDone(a)
	})
	p.apis = slices.DeleteFunc(p.apis, func(a api) bool {
		isWanted := p.binding.api(a.name) != nil && !p.binding.isDeleting()
		return !isWanted && isDone(a)
	})
	if len(p.apis)+len(p.related) < before {
		r.deps.Syncers.Set(p.key, tasksOf(p), p.remote)
	}
	return step.Next(), nil
}

// isDone tells whether nothing is left of what is let go.
func isDone(a api) bool {
	return a.reported && a.judgement.mode.Leaves() && a.report.Running && a.report.Left == 0
}

func tasksOf(p *pass) []sync.Task {
	var out []sync.Task
	for _, a := range p.related {
		if a.judgement.mode.Leaves() || p.binding.hasRelated(a.name) {
			out = append(out, a.task)
		}
	}
	for _, a := range p.apis {
		if a.judgement.runs && p.binding.recorded(a.name) != nil {
			out = append(out, a.task)
		}
	}
	return out
}
