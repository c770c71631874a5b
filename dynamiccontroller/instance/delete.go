package instance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/runtime/plan"
)

const (
	silentTime     = time.Second      // how long a pass may take until the status says what it does
	waveTime       = 5 * time.Second  // how long a wave may take until the status lists what remains
	forbiddenRetry = 30 * time.Second // of a deletion that the identity may not do
)

// deletion is what is known of an instance that is being taken down. It needs no graph (I5).
type deletion struct {
	children map[plan.Key]map[string]any // what remains
	unclear  []string                    // kinds that nothing can be told of now
	reason   v1alpha1.Reason
	message  string
}

// delete takes down an instance that is being deleted: dependents first, wave by wave, and the finalizer last.
func (c *Controller) delete(ctx context.Context, p *pass) (step.Outcome, error) {
	if p.instance.GetDeletionTimestamp() == nil {
		return step.Next(), nil
	}
	if p.memory.isLetGo || !slices.Contains(p.instance.GetFinalizers(), v1alpha1.FinalizerInstance) {
		p.instance = nil
		return step.Stop(), nil
	}
	c.findRemains(ctx, p)
	d := p.deletion
	if p.instance.GetAnnotations()[v1alpha1.AnnotationRelease] == v1alpha1.True {
		c.tellReleased(p)
		return step.Stop(), c.letGo(ctx, p)
	}
	if d.isDone() {
		return step.Stop(), c.letGo(ctx, p)
	}
	if c.isStillSyncing(p) {
		p.instance = nil
		return step.StopFor(syncPatience), nil
	}
	d.reason, d.message = v1alpha1.ReasonDeleting, "deleting the children, dependents first"
	if ok, err := c.takeActing(p); err != nil {
		return step.Stop(), c.fail(p, v1alpha1.ConditionReady, err)
	} else if !ok {
		return step.Stop(), nil
	}
	if err := c.deleteWaves(ctx, p); err != nil || p.instance == nil || !d.isDone() {
		return step.Stop(), err
	}
	return step.Stop(), c.letGo(ctx, p)
}

// isDone tells whether certainly nothing is left.
func (d *deletion) isDone() bool { return len(d.children) == 0 && len(d.unclear) == 0 }

// findRemains reads what is left from the caches, where the inventory says that something may be.
func (c *Controller) findRemains(ctx context.Context, p *pass) {
	p.deletion = &deletion{}
	for _, kind := range inventoryOf(p.instance).kinds {
		resource, ok, err := c.locate(ctx, p, kind)
		switch {
		case err != nil:
			p.deletion.unclear = append(p.deletion.unclear, kind.String())
			p.lookAgain(firstRetry)
		case ok:
			p.resources = append(p.resources, resource)
		}
	}
	slices.SortFunc(p.resources, compareResources)
	p.resources = slices.Compact(p.resources)
	c.clients.Wishes.AddWanted(p.trackOwner(c.gvr), p.resources, nil)
	p.deletion.children = c.readChildren(p)
	for _, resource := range p.unsynced {
		p.deletion.unclear = append(p.deletion.unclear, resource.GroupResource().String())
	}
}

// orphanAll tells whether every child is left behind: by the engine's setting, or by kubectl delete --cascade=orphan.
func (p *pass) orphanAll(policy string) bool {
	return policy == v1alpha1.DeletionPolicyOrphan ||
		(p.deletion != nil && slices.Contains(p.instance.GetFinalizers(), metav1.FinalizerOrphanDependents))
}

// takeActing uses the identity that wrote the children, without asking whether it still exists. Where none is recorded,
// the one that would act now; and else the engine, if the status says that it made the children as itself. False:
// nobody may delete them, as the problem of the pass says.
func (c *Controller) takeActing(p *pass) (ok bool, err error) {
	recorded, isRecorded := c.settings.Recorded(recordedAccount(p.instance), p.key.Namespace)
	chosen, refusal := identity.Choose(c.accountsOf(p), c.settings, p.key.Namespace)
	switch {
	case isRecorded:
		p.acting = recorded
	case c.settings.AllowActingAsSelf || refusal != nil && hasActedAsSelf(p.instance):
		p.acting = identity.Identity{Self: true}
	case refusal == nil:
		p.acting = chosen
	default:
		p.problem = &problem{
			condition: v1alpha1.ConditionServiceAccountResolved, reason: v1alpha1.Reason(refusal.Reason), state: StateFailed,
			message: fmt.Sprintf("nobody may delete the children: %s; or let go of them by the annotation %s: %q",
				refusal.Message, v1alpha1.AnnotationRelease, v1alpha1.True),
		}
		p.lookAgain(forbiddenRetry)
		return false, nil
	}
	p.api, err = c.clients.Acting(p.acting)
	return true, err
}

// hasActedAsSelf tells whether the engine made the children as itself, as the status says.
func hasActedAsSelf(instance *unstructured.Unstructured) bool {
	account, isRecorded, _ := unstructured.NestedString(instance.Object, "status", "serviceAccount")
	return isRecorded && account == ""
}

// accountsOf gives the group's default service accounts, nil for none; a deletion may have no graph.
func (c *Controller) accountsOf(p *pass) map[string]string {
	if c.accounts == nil && p.graph != nil {
		return p.graph.Policies().DefaultServiceAccounts
	}
	return c.accounts
}

// deleteWaves deletes what nobody needs any more, and goes on as long as the answers show that something is gone; what
// is only going tells by an event when it is. While a kind is unclear, nobody can tell what is needed. DELETING is written
// when it takes a while; what ends within one pass leaves nobody to read it.
func (c *Controller) deleteWaves(ctx context.Context, p *pass) error {
	if len(p.deletion.unclear) > 0 {
		p.deletion.message = "waiting to find out what is left of " + strings.Join(p.deletion.unclear, ", ")
		p.lookAgain(waveTime)
		return nil
	}
	for {
		waves := plan.Waves(p.deletion.children)
		if len(waves) == 0 {
			return ctx.Err()
		}
		if err := c.tellDeleting(ctx, p); err != nil || p.instance == nil {
			return err
		}
		gone, faults := c.remove(ctx, p, waves[0], p.deletion.children)
		for _, key := range gone {
			delete(p.deletion.children, key)
		}
		if len(gone) == 0 || len(faults) > 0 {
			c.timeWave(p, waves[0])
			return p.takeDeletionFaults(faults)
		}
	}
}

// tellDeleting writes DELETING once the pass has taken longer than anybody should wait for it.
func (c *Controller) tellDeleting(ctx context.Context, p *pass) error {
	if stateOf(p.instance) == StateDeleting || c.now().Sub(p.began) < silentTime {
		return nil
	}
	_, err := c.writeStatus(ctx, p)
	return err
}

// takeDeletionFaults gives back a passing fault, and notes others.
func (p *pass) takeDeletionFaults(faults []removalFault) error {
	for _, f := range faults {
		if f.fault.Passing {
			return fmt.Errorf("deleting %s: %s", f.key, f.fault.Message)
		}
		p.deletion.reason = v1alpha1.ReasonDeletionForbidden
		p.deletion.message = fmt.Sprintf("deleting %s: %s", f.key, f.fault.Message)
		p.lookAgain(forbiddenRetry)
	}
	return nil
}

// timeWave says what remains when a wave takes long, and that it does not end when it takes too long.
func (c *Controller) timeWave(p *pass, wave []plan.Key) {
	started := wavesBegin(p.memory, wave, p.began)
	took := p.began.Sub(started)
	if took < waveTime {
		p.lookAgain(waveTime - took)
		return
	}
	names := make([]string, len(wave))
	for i, key := range wave {
		names[i] = apply.Describe(key, p.deletion.children[key])
	}
	p.deletion.message = "waiting for the deletion of " + plan.Some(names, ", ")
	if took < c.config.DeletionGraceTimeDuration {
		p.lookAgain(c.config.DeletionGraceTimeDuration - took)
		return
	}
	p.deletion.reason = v1alpha1.ReasonDeletionStalled
}

// wavesBegin tells when this wave, or what is left of it, was first seen.
func wavesBegin(m *memory, wave []plan.Key, now time.Time) time.Time {
	if m.waveStart.IsZero() || !containsAll(m.wave, wave) {
		m.wave, m.waveStart = wave, now
	}
	return m.waveStart
}

func containsAll(all, some []plan.Key) bool {
	return !slices.ContainsFunc(some, func(k plan.Key) bool { return !slices.Contains(all, k) })
}

// letGo takes the finalizer off, if the instance still is what was looked at.
func (c *Controller) letGo(ctx context.Context, p *pass) error {
	rest := slices.DeleteFunc(slices.Clone(p.instance.GetFinalizers()), func(f string) bool { return f == v1alpha1.FinalizerInstance })
	finalizers := make([]any, len(rest))
	for i, f := range rest {
		finalizers[i] = f
	}
	metadata := map[string]any{
		"uid": string(p.owner.UID), "resourceVersion": p.instance.GetResourceVersion(), "finalizers": finalizers,
	}
	at := apply.Place{Resource: c.gvr, Namespace: p.owner.Namespace, Name: p.owner.Name}
	_, err := c.clients.Engine.Patch(ctx, at, apply.Patch{Type: types.MergePatchType, Body: map[string]any{"metadata": metadata}})
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("removing the finalizer: %w", err)
	}
	p.instance = nil
	p.memory.isLetGo = true
	c.clients.Wishes.SetWanted(p.trackOwner(c.gvr), nil, nil)
	return nil
}

func (c *Controller) tellReleased(p *pass) {
	keys := make([]string, 0, len(p.deletion.children))
	for key := range p.deletion.children {
		keys = append(keys, key.String())
	}
	slices.Sort(keys)
	if len(keys) > 0 {
		c.event(p, "Warning", "Released", "let go by request; left behind: "+plan.Some(keys, ", "))
	}
}
