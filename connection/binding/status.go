package binding

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/sync"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

const (
	syncTimeRhythm = 10 * time.Minute      // between writes that only bring lastSyncTime up to date
	lookAgain      = 3 * time.Second       // while objects are on their way
	beginNow       = 10 * time.Millisecond // with what the status names now
)

// writeStatus writes what has changed of it, and asks for another pass where time alone makes a difference.
func (r *Reconciler) writeStatus(ctx context.Context, p *pass) (step.Outcome, error) {
	again := r.waits(p)
	changed := p.binding.copied()
	changed.status.ObservedGeneration = changed.object.GetGeneration()
	changed.status.BoundAPIs, changed.status.RelatedResources = boundAPIs(p), relatedResources(p)
	setConditions(changed, conditionsOf(p), r.deps.Now())
	if equality.Semantic.DeepEqual(p.binding.status, changed.status) {
		return step.NextFor(again), nil
	}
	isMore := len(changed.status.RelatedResources) > len(p.binding.status.RelatedResources)
	if isMore || len(p.apis) > 0 && len(changed.status.BoundAPIs) > len(p.binding.status.BoundAPIs) {
		again = beginNow
	}
	before := p.binding
	err := r.deps.live.Status().Patch(ctx, changed.object, client.MergeFrom(before.copied().object), client.FieldOwner(v1alpha1.FieldManager))
	if apierrors.IsNotFound(err) {
		return step.Stop(), nil // that it is gone will be told
	}
	if err != nil {
		return step.Next(), fmt.Errorf("writing its status: %w", err)
	}
	p.binding = r.known.wrote(p.name, changed)
	r.tell(before, changed)
	return step.NextFor(again), nil
}

// waits tells when another pass is due with no event; zero: never.
func (r *Reconciler) waits(p *pass) (again time.Duration) {
	for _, a := range p.apis {
		if a.reported && (a.report.Moving > 0 || a.report.Late > 0) {
			return lookAgain
		}
		had := p.binding.recorded(a.name)
		if a.reported && had != nil && had.LastSyncTime != nil && a.report.LastWrite.Sub(had.LastSyncTime.Time) > time.Second {
			again = syncTimeRhythm
		}
	}
	return again
}

// boundAPIs gives the status of each API.
func boundAPIs(p *pass) []v1alpha1.BoundAPIStatus {
	var out []v1alpha1.BoundAPIStatus
	for _, a := range p.apis {
		now := v1alpha1.BoundAPIStatus{Name: a.name, State: a.judgement.state, Reason: string(a.judgement.reason), Message: a.judgement.message}
		if a.definition != nil {
			now.SchemaHash = a.definition.hash
		}
		had := p.binding.recorded(a.name)
		if had != nil {
			now.LastSyncTime = had.LastSyncTime
		}
		if a.reported {
			now.Objects, now.Conflicts = int64(a.report.Objects), int64(a.report.Conflicts)
			now.LastSyncTime = lastSync(now, had, a.report)
		}
		out = append(out, now)
	}
	return out
}

// lastSync keeps the old time where it alone would change, so that a change of an object is no write to the binding.
func lastSync(now v1alpha1.BoundAPIStatus, had *v1alpha1.BoundAPIStatus, report sync.Report) *metav1.Time {
	at := metav1.NewTime(report.LastWrite.Truncate(time.Second))
	switch {
	case report.LastWrite.IsZero():
		return now.LastSyncTime
	case had == nil || had.LastSyncTime == nil, !reflect.DeepEqual(now, *had), at.Sub(had.LastSyncTime.Time) >= syncTimeRhythm:
		return &at
	default:
		return had.LastSyncTime
	}
}
