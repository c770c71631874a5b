package connection

import (
	"cmp"
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/lease"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// defaultHeartbeatNamespace is where the Lease is when neither the spec nor the kubeconfig says so.
const defaultHeartbeatNamespace = "plait"

// keepHeartbeat sees that the loop of the Lease runs. Whether that succeeds is reported and changes nothing else. It ends a
// pass that has come through: the Connection is Ready unless a step has said otherwise.
func (r *Reconciler) keepHeartbeat(_ context.Context, p *pass) (step.Outcome, error) {
	p.memory.beat = beatOf(p)
	r.deps.Heartbeats.Keep(p.memory.beat)
	if _, said := p.verdicts[v1alpha1.ConditionReady]; !said && p.memory.failures == 0 {
		p.say(v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonAsExpected, "the provider is verified, and its exports are known")
	}
	return step.Next(), nil
}

func beatOf(p *pass) lease.Beat {
	namespace := ""
	if p.conn.Spec.Heartbeat != nil {
		namespace = p.conn.Spec.Heartbeat.Namespace
	}
	if p.provider != nil {
		namespace = cmp.Or(namespace, p.provider.Namespace)
	}
	return lease.NewBeat(p.name, cmp.Or(namespace, defaultHeartbeatNamespace), p.conn.Status.LocalClusterUID)
}
