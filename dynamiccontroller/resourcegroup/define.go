package resourcegroup

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/graph"
)

// define makes the generated definition what the accepted graph says, and finds out whether it is established. While
// the newest graph is refused, the definition stays that of the last good one.
func (r *Reconciler) define(ctx context.Context, p *pass) (step.Outcome, error) {
	p.memory.conflict.Store(false)
	g := p.memory.accepted
	if g == nil || p.deleting {
		g = p.memory.serving
	}
	if g == nil {
		return step.Next(), r.findDefinition(ctx, p)
	}
	wanted := marked(g, p)
	served, ok, err := r.cached(ctx, p, wanted.Name)
	switch {
	case err != nil:
		return step.Next(), fmt.Errorf("reading CustomResourceDefinition %q: %w", wanted.Name, err)
	case !ok && p.deleting:
		return step.Next(), nil
	case !ok:
		return step.Next(), r.create(ctx, p, g, wanted)
	case !isOurs(served, p):
		r.sayConflict(p, served)
		return step.Next(), nil
	}
	return step.Next(), r.update(ctx, p, g, served, wanted)
}

// cached gives the definition as the cache holds it, or our own last write as long as the cache has not seen it.
func (r *Reconciler) cached(ctx context.Context, p *pass, name string) (*apiextensionsv1.CustomResourceDefinition, bool, error) {
	served, ok, err := r.deps.Definitions.Cached(ctx, name)
	own := p.memory.definition
	if err != nil || !ok || own == nil || own.UID != served.UID {
		return served, ok, err
	}
	if order, err := resourceversion.CompareResourceVersion(served.ResourceVersion, own.ResourceVersion); err == nil && order < 0 {
		return own, true, nil
	}
	p.memory.definition = nil
	return served, true, nil
}

// marked is the graph's definition with our marks.
func marked(g *graph.Graph, p *pass) *apiextensionsv1.CustomResourceDefinition {
	crd := g.CRD()
	crd.Labels, crd.Annotations = maps.Clone(crd.Labels), maps.Clone(crd.Annotations)
	if crd.Labels == nil {
		crd.Labels = map[string]string{}
	}
	if crd.Annotations == nil {
		crd.Annotations = map[string]string{}
	}
	crd.Labels[v1alpha1.LabelResourceGroupUID] = string(p.memory.uid)
	crd.Labels[v1alpha1.LabelApplySetParentType] = v1alpha1.True
	crd.Annotations[v1alpha1.AnnotationResourceGroup] = p.name
	return crd
}

// isOurs tells whether a definition was made for this group, or for one of the same name that is gone: its name is
// still on it, be it released or restored from a backup.
func isOurs(crd *apiextensionsv1.CustomResourceDefinition, p *pass) bool {
	return crd.Labels[v1alpha1.LabelResourceGroupUID] == string(p.memory.uid) ||
		crd.Annotations[v1alpha1.AnnotationResourceGroup] == p.name
}

// create makes the definition. One that exists all the same is ours and unknown to the cache, or a conflict.
func (r *Reconciler) create(ctx context.Context, p *pass, g *graph.Graph, wanted *apiextensionsv1.CustomResourceDefinition) error {
	err := r.deps.Definitions.Create(ctx, wanted.DeepCopy())
	if err == nil {
		p.say(v1alpha1.ConditionKindServed, "False", v1alpha1.ReasonNotEstablished, "the API server is taking up the new kind")
		p.memory.definedAt = p.began
		p.awaitEstablished()
		return nil
	}
	if !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("creating CustomResourceDefinition %q: %w", wanted.Name, err)
	}
	live, ok, err := r.deps.Definitions.Live(ctx, wanted.Name)
	if err != nil {
		return fmt.Errorf("reading CustomResourceDefinition %q: %w", wanted.Name, err)
	}
	if !ok {
		return fmt.Errorf("creating CustomResourceDefinition %q: it exists, and is not found", wanted.Name)
	}
	if !isOurs(live, p) {
		r.sayConflict(p, live)
		return nil
	}
	return r.update(ctx, p, g, live, wanted)
}

func (r *Reconciler) sayConflict(p *pass, crd *apiextensionsv1.CustomResourceDefinition) {
	p.memory.conflict.Store(true)
	whose := "was not made by Plait"
	if name := crd.Annotations[v1alpha1.AnnotationResourceGroup]; name != "" {
		whose = fmt.Sprintf("belongs to ResourceGroup %q", name)
	}
	p.say(v1alpha1.ConditionKindServed, "False", v1alpha1.ReasonConflict, fmt.Sprintf(
		"CustomResourceDefinition %q exists and %s; it is left as it is: choose another kind, plural or group, or delete it", crd.Name, whose))
}

// update replaces a definition that differs. A change that breaks instances is refused, unless it was let through for
// just this generation.
func (r *Reconciler) update(ctx context.Context, p *pass, g *graph.Graph, served, wanted *apiextensionsv1.CustomResourceDefinition) error {
	comparison := r.deps.Compare(served, wanted)
	if len(comparison.Breaking) > 0 && g != p.memory.serving && !r.isLetThrough(p) {
		p.say(v1alpha1.ConditionKindServed, "False", v1alpha1.ReasonBreakingChange, fmt.Sprintf(
			"the new schema would break existing instances, so revision %d keeps serving:\n%s\nSet the annotation %s: \"%d\" to let it through",
			p.memory.served, strings.Join(comparison.Breaking, "\n"), v1alpha1.AnnotationAllowBreakingChanges, p.group.GetGeneration()))
		p.definition = served
		return r.keepServed(ctx, p, served)
	}
	if !comparison.Equal && !p.deleting {
		if err := r.put(ctx, p, served, wanted); err != nil {
			return err
		}
	}
	p.takeUp(g, served)
	return nil
}

// keepServed repairs the definition of the last good graph while a newer one is refused.
func (r *Reconciler) keepServed(ctx context.Context, p *pass, served *apiextensionsv1.CustomResourceDefinition) error {
	g := p.memory.serving
	if g == nil {
		return nil
	}
	last := marked(g, p)
	if r.deps.Compare(served, last).Equal {
		return nil
	}
	return r.put(ctx, p, served, last)
}

// takeUp makes a graph the candidate for serving, once the API server serves its definition.
func (p *pass) takeUp(g *graph.Graph, served *apiextensionsv1.CustomResourceDefinition) {
	p.definition = served
	if !isEstablished(served) {
		p.say(v1alpha1.ConditionKindServed, "False", v1alpha1.ReasonNotEstablished, notEstablished(served))
		p.awaitEstablished()
		return
	}
	p.candidate = g
	p.say(v1alpha1.ConditionKindServed, "True", v1alpha1.ReasonServed, fmt.Sprintf("%s is served", g.Kind().GroupKind()))
}

// establishTime is how long nothing is said of a new definition that is being taken up: that takes a moment, and its
// event comes.
const establishTime = time.Second

// awaitEstablished keeps a pass quiet that comes soon after the definition was made.
func (p *pass) awaitEstablished() {
	left := establishTime - p.began.Sub(p.memory.definedAt)
	if left <= 0 || left > establishTime {
		return
	}
	p.quiet = true
	if p.again == 0 || left < p.again {
		p.again = left
	}
}

// put writes with the resource version that was looked at. Labels of others go; annotations of others stay.
func (r *Reconciler) put(ctx context.Context, p *pass, served, wanted *apiextensionsv1.CustomResourceDefinition) error {
	next := wanted.DeepCopy()
	next.ResourceVersion, next.UID = served.ResourceVersion, served.UID
	next.Finalizers, next.OwnerReferences, next.Status = served.Finalizers, served.OwnerReferences, served.Status
	next.Annotations = mergedStrings(served.Annotations, wanted.Annotations)
	if err := r.deps.Definitions.Replace(ctx, next); err != nil {
		return fmt.Errorf("replacing CustomResourceDefinition %q: %w", served.Name, err)
	}
	p.memory.definition = next
	return nil
}

func mergedStrings(base, added map[string]string) map[string]string {
	out := maps.Clone(base)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, added)
	return out
}

func (r *Reconciler) isLetThrough(p *pass) bool {
	return p.group.GetAnnotations()[v1alpha1.AnnotationAllowBreakingChanges] == strconv.FormatInt(p.group.GetGeneration(), 10)
}

// findDefinition is for a group of which nothing compiles: its definition may have instances that want to go.
func (r *Reconciler) findDefinition(ctx context.Context, p *pass) error {
	crd, ok, err := r.deps.Definitions.OfGroup(ctx, p.memory.uid)
	if err != nil {
		return fmt.Errorf("looking for the CustomResourceDefinition: %w", err)
	}
	if ok {
		p.definition = crd
	}
	return nil
}

func isEstablished(crd *apiextensionsv1.CustomResourceDefinition) bool {
	for _, c := range crd.Status.Conditions {
		if c.Type == apiextensionsv1.Established {
			return c.Status == apiextensionsv1.ConditionTrue && crd.DeletionTimestamp == nil
		}
	}
	return false
}

// notEstablished gives the API server's words, where it refuses the names.
func notEstablished(crd *apiextensionsv1.CustomResourceDefinition) string {
	if crd.DeletionTimestamp != nil {
		return fmt.Sprintf("CustomResourceDefinition %q is being deleted; it is made anew when it is gone", crd.Name)
	}
	for _, c := range crd.Status.Conditions {
		if c.Type == apiextensionsv1.NamesAccepted && c.Status == apiextensionsv1.ConditionFalse {
			return "the API server does not accept the names: " + c.Message
		}
	}
	return "the API server is taking up the kind"
}
