package mounts

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/mounts/contract"
)

// pass is one look at a Workspace.
type pass struct {
	key       workspaceKey
	object    *unstructured.Unstructured // shared; replaced by the answers to writes
	workspace contract.Workspace         // what object says
	memory    *memory
	since     time.Time // when the event of the mount object came; zero: there was none
	writes    int
}

func (p *pass) take(u *unstructured.Unstructured) {
	p.object, p.workspace = u, contract.Read(p.key.API, u)
}

// reconcile brings one Workspace to what its mount object says. With again it wants to look again after that time.
func (c *Controller) reconcile(ctx context.Context, key workspaceKey) (again time.Duration, err error) {
	u, ok := c.caches[key.API].Get(types.NamespacedName{Name: key.Name})
	if !ok {
		c.sources.set(key, target{})
		c.memories.drop(key)
		c.arrivals.take(key)
		return 0, nil
	}
	p := &pass{key: key, memory: c.memories.get(key, u.GetUID()), since: c.arrivals.take(key)}
	p.take(u)
	found, again, err := c.gather(ctx, p)
	if err != nil {
		c.measures.count(resultError, "")
		return 0, err
	}
	d := p.memory.rivalry.mediate(p.workspace, Decide(p.workspace, found, c.cfg.Policy, c.cfg.Now()), c.cfg.Now())
	if d.Again > 0 && (again == 0 || d.Again < again) {
		again = d.Again
	}
	return again, c.act(ctx, p, d)
}

// gather finds out what the decision depends on.
func (c *Controller) gather(ctx context.Context, p *pass) (found Lookup, again time.Duration, err error) {
	if !NeedsLookup(p.workspace) {
		c.sources.set(p.key, target{})
		return Lookup{}, 0, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return c.lookUp(ctx, p)
}

// callTime bounds a call to the API server.
const callTime = 30 * time.Second

// act writes what differs. Going up the URL comes first, so that nobody finds a Workspace Ready without it; going down
// the status does.
func (c *Controller) act(ctx context.Context, p *pass, d Decision) error {
	if d.Leave {
		c.measures.count(resultLeft, "")
		return nil
	}
	before := p.workspace
	steps := []func(context.Context, *pass, contract.State) error{c.writeStatus, c.writeMain}
	if d.State.Condition != nil && d.State.Condition.Status == "True" {
		steps[0], steps[1] = steps[1], steps[0]
	}
	for _, write := range steps {
		if err := write(ctx, p, d.State); err != nil {
			c.measures.count(resultError, reasonOf(d.State.Condition))
			return err
		}
	}
	c.measures.count(resultOf(p.writes), reasonOf(d.State.Condition))
	c.tell(p, before)
	return nil
}

func (c *Controller) writeStatus(ctx context.Context, p *pass, want contract.State) error {
	patch, err := contract.StatusPatch(p.object, p.workspace, want, c.cfg.Now())
	if err != nil || patch == nil {
		return err
	}
	if err := c.write(ctx, p, patch, "status"); err != nil {
		return fmt.Errorf("writing the status of Workspace %q: %w", p.key.Name, err)
	}
	p.memory.rivalry.wrote(want.Condition, want.Phase)
	if !p.since.IsZero() {
		c.measures.latency.Observe(c.cfg.Now().Sub(p.since).Seconds())
		p.since = time.Time{}
	}
	return nil
}

func (c *Controller) writeMain(ctx context.Context, p *pass, want contract.State) error {
	patch, err := contract.MainPatch(p.object, p.workspace, want)
	if err != nil || patch == nil {
		return err
	}
	if err := c.write(ctx, p, patch); err != nil {
		return fmt.Errorf("writing the URL of Workspace %q: %w", p.key.Name, err)
	}
	return nil
}

// write sends a merge patch, and goes on with the answer: the next write of the pass depends on its version.
func (c *Controller) write(ctx context.Context, p *pass, patch []byte, subresource ...string) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	options := metav1.PatchOptions{FieldManager: v1alpha1.FieldManager}
	answer, err := c.cfg.Client.Resource(p.key.API.Resource()).Patch(ctx, p.key.Name, types.MergePatchType, patch, options, subresource...)
	if err != nil {
		return err
	}
	p.writes++
	c.caches[p.key.API].Wrote(answer)
	p.take(answer)
	return nil
}

// level is that of the log: who was overtaken by another write, or writes what is gone, is told by an event what to do.
func level(err error) int {
	if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		return 1
	}
	return 0
}
