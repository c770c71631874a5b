package mounts

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/plait-run/plait/dynamiccontroller/discovery"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/mounts/contract"
)

// lookUp looks for the mount object of a Workspace that needs one. With again it wants to look again after that time. An
// error means that it cannot be told now, and nothing will tell when it can.
func (c *Controller) lookUp(ctx context.Context, p *pass) (found Lookup, again time.Duration, err error) {
	ref := p.workspace.Reference
	kind := ref.GVK().GroupKind()
	c.sources.aim(p.key, kind)
	mapping, served, err := c.cfg.Kinds.Mapping(ref.GVK())
	switch {
	case err != nil:
		return Lookup{}, 0, fmt.Errorf("looking for the kind of %s: %w", ref, err)
	case !served:
		c.sources.set(p.key, target{kind: kind})
		return Lookup{Outcome: NotServed}, 0, nil
	case mapping.Namespaced != (ref.Namespace != ""):
		c.sources.set(p.key, target{kind: kind})
		return Lookup{Outcome: WrongScope, Namespaced: mapping.Namespaced}, 0, nil
	}
	if refused, again, err := c.authorise(ctx, p, mapping); refused != nil {
		if refused.Outcome == Forbidden {
			c.sources.set(p.key, target{kind: kind})
		}
		return *refused, again, err
	}
	at := mountKey{Resource: mapping.Resource, NamespacedName: ref.Key()}
	c.sources.set(p.key, target{kind: kind, mount: at})
	found, again = c.read(p, at)
	return found, again, nil
}

// read reads the object from its copy.
func (c *Controller) read(p *pass, at mountKey) (found Lookup, again time.Duration) {
	u, complete, why := c.sources.read(at)
	switch {
	case !complete && apierrors.IsForbidden(why.err):
		left := why.since.Add(restartGrace).Sub(c.cfg.Now())
		if isUp(p.workspace) && left > 0 {
			return Lookup{}, left
		}
		return Lookup{Outcome: Forbidden, Why: fmt.Sprintf("the engine may not list and watch %s: grant it a role with these verbs",
			track.ResourceName(at.Resource))}, 0
	case !complete:
		return Lookup{}, 0
	case u == nil:
		return Lookup{Outcome: NotFound}, 0
	default:
		return Lookup{Outcome: Found, Mount: contract.ReadMount(u)}, 0
	}
}

// authorise tells whether the object may be read for this Workspace: found is nil if it may. With again it is to be asked
// about once more after that time.
func (c *Controller) authorise(ctx context.Context, p *pass, mapping discovery.Mapping) (found *Lookup, again time.Duration, err error) {
	ref, m, now := p.workspace.Reference, p.memory, c.cfg.Now()
	who, why := c.reader(p.workspace)
	if why == "" && !c.isWatched(ref.Namespace) {
		why = fmt.Sprintf("the engine watches only the namespaces %s, and the object is in %s",
			strings.Join(c.cfg.WatchNamespaces, ", "), contract.Quote(ref.Namespace))
	}
	if why != "" { // by what is written, about which nobody needs to be asked
		m.allow()
		return &Lookup{Outcome: Forbidden, Why: why}, 0, nil
	}
	if m.isDue(now) {
		c.forget(who)
	}
	why, err = c.ask(ctx, who, ref, mapping.Resource)
	switch {
	case err != nil:
		return &Lookup{}, 0, err
	case why == "":
		m.allow()
		return nil, 0, nil
	}
	believed, again := m.refuse(isUp(p.workspace), now)
	if !believed {
		return &Lookup{}, again, nil
	}
	return &Lookup{Outcome: Forbidden, Why: why}, again, nil
}

func (c *Controller) isWatched(namespace string) bool {
	return namespace == "" || len(c.cfg.WatchNamespaces) == 0 || slices.Contains(c.cfg.WatchNamespaces, namespace)
}

// isUp tells whether a Workspace says that its mount is ready.
func isUp(w contract.Workspace) bool { return w.Condition != nil && w.Condition.Status == "True" }
