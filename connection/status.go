package connection

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// timesAge is how old the times in a status get before they alone are worth a write.
const timesAge = 10 * time.Minute

// writeStatus ends a pass: the status is written if it says anything new.
func (r *Reconciler) writeStatus(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.conn == nil {
		return step.Next(), nil
	}
	status := &p.conn.Status
	status.ObservedGeneration = p.conn.Generation
	status.ExportedAPICount = int32(min(len(status.ExportedAPIs), 1<<30))
	status.ConsecutiveFailures = int32(min(p.memory.failures, 1<<30))
	status.Conditions = p.conditions()
	if p.provider != nil && p.known {
		status.LastDiscoveryTime = timeOf(p.memory.foundAt)
	}
	if last, _ := r.deps.Heartbeats.Last(p.name); !last.IsZero() {
		status.LastHeartbeatTime = timeOf(last)
	}
	r.tell(p)
	if !isNews(p.was, *status) {
		return step.Next(), nil
	}
	err := r.deps.live.Status().Update(ctx, p.conn)
	if apierrors.IsNotFound(err) {
		return step.Next(), nil
	}
	if err != nil {
		p.memory.generation = 0 // what was found is in no status: it is asked for again
		return step.Next(), fmt.Errorf("writing the status of Connection %q: %w", p.name, err)
	}
	r.tellEvents(p)
	return step.Next(), nil
}

// isNews tells whether two statuses differ in more than times, or the times have grown old.
func isNews(was, now v1alpha1.ConnectionStatus) bool {
	for _, t := range []struct{ was, now *metav1.Time }{
		{was.LastDiscoveryTime, now.LastDiscoveryTime}, {was.LastHeartbeatTime, now.LastHeartbeatTime},
	} {
		if t.now != nil && (t.was == nil || t.now.Sub(t.was.Time) >= timesAge) {
			return true
		}
	}
	was.LastDiscoveryTime, was.LastHeartbeatTime = now.LastDiscoveryTime, now.LastHeartbeatTime
	return !equality.Semantic.DeepEqual(was, now)
}

// timeOf is a time as the API server stores it.
func timeOf(t time.Time) *metav1.Time {
	stored := metav1.NewTime(t).Rfc3339Copy()
	return &stored
}

// tell gives metrics and the hints for ResourceGroups what the status says.
func (r *Reconciler) tell(p *pass) {
	r.deps.Metrics.tell(p.name, p.conn.Status)
	if p.deleting {
		r.hints.set(p.name, nil)
		return
	}
	r.hints.set(p.name, hintsOf(p.conn))
}

// tellEvents has one event for each change of Ready, and one for each API that went bad.
func (r *Reconciler) tellEvents(p *pass) {
	if r.deps.Events == nil {
		return
	}
	before := map[string]v1alpha1.ExportedAPIState{}
	for _, api := range p.was.ExportedAPIs {
		before[api.Name] = api.State
	}
	for _, api := range p.conn.Status.ExportedAPIs {
		switch {
		case before[api.Name] == api.State:
		case isBad(api.State) || api.State == v1alpha1.ExportedAPIWithdrawn:
			r.deps.Events.Eventf(p.conn, nil, "Warning", "API"+string(api.State), "Discover", "%s: %s", api.Name, shortened(api.Message))
		case api.State == v1alpha1.ExportedAPIInstalled:
			r.deps.Events.Eventf(p.conn, nil, "Normal", "APIInstalled", "Discover", "%s is installed", api.Name)
		}
	}
	v, said := p.verdicts[v1alpha1.ConditionReady]
	if !said || (v.status == metav1.ConditionTrue) == p.wasReady() && len(p.was.Conditions) > 0 {
		return
	}
	kind := "Warning"
	if v.status == metav1.ConditionTrue {
		kind = "Normal"
	}
	r.deps.Events.Eventf(p.conn, nil, kind, string(v.reason), "Connect", "%s", shortened(v.message))
}

// maxNote is what an event's note holds, in bytes.
const maxNote = 1000

func shortened(text string) string {
	if len(text) > maxNote {
		return text[:maxNote-3] + "..."
	}
	return text
}
