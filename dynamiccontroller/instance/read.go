package instance

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// readExternal reads what the identity may read. It must be wanted already.
func (c *Controller) readExternal(ctx context.Context, p *pass, w plan.Want) runtime.Reading {
	request := identity.Request{Verb: "get", Resource: w.Resource, Namespace: w.Namespace, Name: w.Name}
	if w.Name == "" {
		request.Verb = "list"
	}
	denied, err := c.denied(ctx, p, request)
	if err != nil {
		p.err = err
		return runtime.Reading{}
	}
	if denied != "" {
		return runtime.Reading{Synced: true, Denied: denied}
	}
	objs, synced := c.clients.Cache.External(external(w))
	reading := runtime.Reading{Synced: synced}
	for _, u := range objs {
		reading.Objects = append(reading.Objects, u.Object)
	}
	return reading
}

// deniedRetry is how long a read is left alone that may be granted without an event; no answer is kept for longer.
const deniedRetry = 61 * time.Second

// denied says why the identity may not read something; empty when it may. What is denied is asked again after a while.
func (c *Controller) denied(ctx context.Context, p *pass, request identity.Request) (string, error) {
	if p.acting.Self {
		return "", nil
	}
	allowed, _, err := c.clients.Rights.May(ctx, p.acting, request)
	switch {
	case apierrors.IsForbidden(err):
		p.refuseRead()
		return engineLacks(p.acting), nil
	case err != nil:
		return "", fmt.Errorf("asking whether %q may %s %s: %w", p.acting, request.Verb, request.Resource.Resource, err)
	case allowed:
		return "", nil
	}
	p.refuseRead()
	return fmt.Sprintf("service account %s may not %s %s%s; `plait rbac` prints the role",
		p.acting, request.Verb, request.Resource.GroupResource(), inNamespace(request.Namespace)), nil
}

// refuseRead asks for another pass, less often each time that reads are denied. Passes in between, for other reasons, do
// not count.
func (p *pass) refuseRead() {
	p.refused = true
	m := p.memory
	if !p.began.Before(m.askAgain) {
		m.askAgain = p.began.Add(min(deniedRetry<<min(m.denials, 8), lastRetry))
		m.denials++
	}
	p.lookAgain(m.askAgain.Sub(p.began))
}

func inNamespace(namespace string) string {
	if namespace == "" {
		return ""
	}
	return " in namespace " + namespace
}

// reviewReads asks for the children that the plan reads whether the identity may; it tells whether anything new is denied.
func (c *Controller) reviewReads(ctx context.Context, p *pass) (changed bool) {
	if p.acting.Self {
		return false
	}
	resources := resourcesByKind(p.plan)
	for _, key := range p.plan.Reads {
		if _, told := p.observed.Denied[key]; told {
			continue
		}
		resource, ok := resources[schema.GroupKind{Group: key.Group, Kind: key.Kind}]
		if !ok {
			continue
		}
		request := identity.Request{Verb: "get", Resource: resource, Namespace: key.Namespace, Name: key.Name}
		denied, err := c.denied(ctx, p, request)
		if err != nil {
			p.err = err
			continue
		}
		if denied != "" {
			p.observed.Denied[key], changed = denied, true
		}
	}
	return changed
}

func resourcesByKind(pl plan.Plan) map[schema.GroupKind]schema.GroupVersionResource {
	out := map[schema.GroupKind]schema.GroupVersionResource{}
	for _, n := range pl.Nodes {
		for _, o := range n.Objects {
			out[o.GVK.GroupKind()] = o.Resource
		}
	}
	return out
}
