package connection

import (
	"context"
	"errors"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/remote"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// Passing failures in a row change nothing of what is said while they are so few, and no older: a provider that says
// nothing has been asked for as long.
const (
	toleratedFailures = 2
	toleratedTime     = 10 * time.Second
)

func (r *Reconciler) isBlip(p *pass) bool {
	return p.memory.failures <= toleratedFailures && r.deps.Config.Now().Sub(p.memory.failedAt) < toleratedTime
}

// verify proves that the pinned cluster answers to these credentials; whoever cannot be proven is used by nobody.
func (r *Reconciler) verify(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.access == nil || p.deleting && p.conn.Spec.Abandon { // who is gone for good is not asked
		return step.Next(), nil
	}
	local, err := r.deps.Local(ctx)
	if err != nil {
		return step.Stop(), fmt.Errorf("reading the identity of this cluster: %w", err)
	}
	pin := pinOf(p.conn)
	if pin.LocalUID != "" && pin.LocalUID != local && p.conn.Spec.AcceptClusterUID != local {
		r.deps.Registry.Drop(p.name)
		return p.disconnected(v1alpha1.ReasonClusterIdentityChanged, fmt.Sprintf(
			"this Connection was made in the cluster %q, and this is %q: make a new one here", pin.LocalUID, local), r.deps.Config.Resync), nil
	}
	pin.LocalUID = local
	have, ok := r.deps.Registry.Get(p.name)
	isSame := ok && have.Hash == p.access.Hash && have.LocalUID == local && (pin.Accept == "" || have.UID == pin.Accept)
	p.isDue = r.isDue(p, isSame)
	switch {
	case isSame && !p.isDue:
		p.provider = have
		return step.Next(), nil
	case isSame:
		err = have.Verify(ctx, pin.Accept)
		p.provider = have
	default:
		p.provider, err = remote.Connect(ctx, p.access, pin)
	}
	if err != nil {
		return r.notVerified(p, err, isSame)
	}
	p.say(v1alpha1.ConditionConnected, metav1.ConditionTrue, v1alpha1.ReasonAsExpected, fmt.Sprintf("the cluster %q answers", p.provider.UID))
	return step.Next(), nil
}

// pinOf is the cluster that a Connection is for by its status, and the one that may take its place.
func pinOf(conn *v1alpha1.Connection) remote.Pin {
	pin := remote.Pin{
		Connection: conn.Name, UID: conn.Status.RemoteClusterUID, Source: conn.Status.IdentitySource,
		LocalUID: conn.Status.LocalClusterUID, Accept: conn.Spec.AcceptClusterUID,
	}
	if pin.Accept == pin.UID {
		pin.Accept = ""
	}
	if pin.Accept != "" { // another cluster may tell who it is in another way
		pin.Source = ""
	}
	return pin
}

// isDue tells whether the provider is to be asked: by time, for another spec, by another way, or after a failure.
func (r *Reconciler) isDue(p *pass, isSame bool) bool {
	m := p.memory
	if !isSame || m.generation != p.conn.Generation {
		return true
	}
	return !p.began.Before(r.nextRound(m))
}

// notVerified says what the attempt ended with. A way that was verified once stays for a moment when the provider fails in
// passing; nothing else does.
func (r *Reconciler) notVerified(p *pass, err error, wasVerified bool) (step.Outcome, error) {
	var (
		denied      *remote.DeniedError
		identity    *remote.IdentityError
		unreachable *remote.UnreachableError
	)
	after := r.deps.Config.Resync
	reason := v1alpha1.ReasonClusterIdentityUnreadable
	p.provider = nil
	switch {
	case errors.As(err, &denied):
		p.say(v1alpha1.ConditionPermissionDenied, metav1.ConditionTrue, v1alpha1.ReasonForbidden, err.Error())
		p.say(v1alpha1.ConditionConnected, metav1.ConditionFalse, reason, err.Error())
		r.deps.Registry.Drop(p.name)
		return p.disconnected(v1alpha1.ReasonForbidden, err.Error(), after), nil
	case errors.As(err, &identity) && !identity.Unreadable:
		reason = v1alpha1.ReasonClusterIdentityChanged
		err = fmt.Errorf("%w: nothing goes there; set spec.acceptClusterUID to move on purpose", err)
	case errors.As(err, &identity):
	default:
		if after = r.failed(p); wasVerified && r.isBlip(p) {
			return p.stopQuietly(after), nil
		}
		if errors.As(err, &unreachable) {
			reason = v1alpha1.ReasonUnreachable
		}
	}
	r.deps.Registry.Drop(p.name)
	return p.disconnected(reason, err.Error(), after), nil
}

// stopQuietly ends the pass with nothing new to say.
func (p *pass) stopQuietly(after time.Duration) step.Outcome {
	if p.deleting {
		return step.NextFor(after)
	}
	return step.StopFor(after)
}

// failed counts a failure in passing, and gives when to ask again.
func (r *Reconciler) failed(p *pass) time.Duration {
	m := p.memory
	if m.failures == 0 {
		m.failedAt = p.began
	}
	m.failures++
	after := min(firstRetry<<min(m.failures-1, 10), r.deps.Config.Resync)
	m.retryAt = p.began.Add(after)
	return after
}

// firstRetry is when a provider is asked again after the first failure in a row; the time doubles with each.
const firstRetry = time.Second

// pin keeps in the status which clusters are connected before anything goes to the provider, and lets others use it.
func (r *Reconciler) pin(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.provider == nil {
		return step.Next(), nil
	}
	status := &p.conn.Status
	if status.RemoteClusterUID != p.provider.UID || status.LocalClusterUID != p.provider.LocalUID || status.IdentitySource != p.provider.Source {
		status.RemoteClusterUID, status.LocalClusterUID, status.IdentitySource = p.provider.UID, p.provider.LocalUID, p.provider.Source
		if err := r.deps.live.Status().Update(ctx, p.conn); err != nil {
			return step.Stop(), fmt.Errorf("pinning the clusters of Connection %q: %w", p.name, err)
		}
		p.was = *p.conn.Status.DeepCopy()
	}
	r.deps.Registry.Put(p.provider)
	return step.Next(), nil
}
