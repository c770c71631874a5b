package instance

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/step"
	"github.com/plait-run/plait/graph"
)

// tooling is the value of the ApplySet annotation that names the program.
const tooling = "plait/" + "v1alpha1"

// inventory is what may exist because of an instance: where deletion looks (I4, I5). An entry leaves it only when its objects
// are certainly gone.
type inventory struct {
	kinds      []schema.GroupKind // sorted
	namespaces []string           // beside the instance's own; sorted
}

// inventoryOf reads the annotations of an instance; what cannot be read is left out.
func inventoryOf(instance *unstructured.Unstructured) inventory {
	annotations := instance.GetAnnotations()
	var out inventory
	for _, text := range split(annotations[v1alpha1.AnnotationApplySetGroupKinds]) {
		out.kinds = append(out.kinds, schema.ParseGroupKind(text))
	}
	out.namespaces = split(annotations[v1alpha1.AnnotationApplySetNamespaces])
	return out
}

// with gives the inventory that covers these kinds and namespaces too.
func (i inventory) with(kinds []schema.GroupKind, namespaces []string) inventory {
	out := inventory{
		kinds:      append(slices.Clone(i.kinds), kinds...),
		namespaces: append(slices.Clone(i.namespaces), namespaces...),
	}
	slices.SortFunc(out.kinds, func(a, b schema.GroupKind) int { return strings.Compare(a.String(), b.String()) })
	slices.Sort(out.namespaces)
	out.kinds, out.namespaces = slices.Compact(out.kinds), slices.Compact(out.namespaces)
	return out
}

func (i inventory) annotations() map[string]string {
	kinds := make([]string, len(i.kinds))
	for n, k := range i.kinds {
		kinds[n] = k.String()
	}
	out := map[string]string{
		v1alpha1.AnnotationApplySetTooling:    tooling,
		v1alpha1.AnnotationApplySetGroupKinds: strings.Join(kinds, ","),
	}
	if len(i.namespaces) > 0 {
		out[v1alpha1.AnnotationApplySetNamespaces] = strings.Join(i.namespaces, ",")
	}
	return out
}

// claim puts finalizer and inventory on the instance, before the first child exists (I4).
func (c *Controller) claim(ctx context.Context, p *pass) (step.Outcome, error) {
	return c.extendClaim(ctx, p, nil)
}

// extendClaim makes the claim cover further namespaces. It writes only what is not there yet. An instance that is gone
// or replaced ends the pass: its event comes.
func (c *Controller) extendClaim(ctx context.Context, p *pass, namespaces []string) (step.Outcome, error) {
	want := inventoryOf(p.instance).with(kindsOf(p.graph), namespaces)
	p.claimed = isClaimed(p.instance, p.owner, want)
	if p.claimed {
		return step.Next(), nil
	}
	return c.writeClaim(ctx, p, want)
}

func (c *Controller) writeClaim(ctx context.Context, p *pass, want inventory) (step.Outcome, error) {
	ended, err := c.writeInstance(ctx, p, "", claimBody(p.instance, p.owner, want))
	if err != nil {
		return step.Next(), c.fail(p, v1alpha1.ConditionInstanceManaged, fmt.Errorf("writing finalizer and inventory: %w", err))
	}
	if ended {
		p.instance = nil
		return step.StopFor(p.again), nil
	}
	p.claimed = true
	return step.Next(), nil
}

// kindsOf gives the kinds of the children that a graph has, each once.
func kindsOf(g *graph.Graph) []schema.GroupKind {
	var out []schema.GroupKind
	for _, n := range g.Nodes() {
		if kind := n.GVK.GroupKind(); n.Kind == graph.Template && !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}

// instanceLabels are those of the claim. The bucket of an instance that is a child of another one is its parent's.
func instanceLabels(instance *unstructured.Unstructured, o apply.Owner) map[string]string {
	out := map[string]string{v1alpha1.LabelApplySetID: o.ApplySetID()}
	if _, isChild := instance.GetLabels()[v1alpha1.LabelOwned]; !isChild {
		out[v1alpha1.LabelBucket] = o.Bucket()
	}
	return out
}

func isClaimed(instance *unstructured.Unstructured, o apply.Owner, want inventory) bool {
	return slices.Contains(instance.GetFinalizers(), v1alpha1.FinalizerInstance) &&
		holds(instance.GetLabels(), instanceLabels(instance, o)) && holds(instance.GetAnnotations(), want.annotations())
}

func holds(have, want map[string]string) bool {
	for k, v := range want {
		if have[k] != v {
			return false
		}
	}
	return true
}

func claimBody(instance *unstructured.Unstructured, o apply.Owner, want inventory) map[string]any {
	return map[string]any{
		"finalizers":  []any{v1alpha1.FinalizerInstance},
		"labels":      anyMap(instanceLabels(instance, o)),
		"annotations": anyMap(want.annotations()),
	}
}

// writeInstance applies metadata of the instance, or with subresource "status" its status. ended tells that the instance
// is gone or another one by now. A conflict says that as a rule, but an API server gives it under contention too: the
// cache decides a moment later.
func (c *Controller) writeInstance(ctx context.Context, p *pass, subresource string, content map[string]any) (ended bool, err error) {
	metadata := map[string]any{"name": p.owner.Name, "uid": string(p.owner.UID)}
	if p.owner.Namespace != "" {
		metadata["namespace"] = p.owner.Namespace
	}
	version, kind := p.owner.GVK.ToAPIVersionAndKind()
	body := map[string]any{"apiVersion": version, "kind": kind, "metadata": metadata}
	if subresource == "status" {
		body["status"] = content
	} else {
		maps.Copy(metadata, content)
	}
	at := apply.Place{Resource: c.gvr, Namespace: p.owner.Namespace, Name: p.owner.Name, Subresource: subresource}
	answer, err := c.clients.Engine.Patch(ctx, at, apply.Patch{Body: body, Force: true, Manager: v1alpha1.ClaimManager})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) || (apierrors.IsInvalid(err) && subresource == "") {
		c.log.V(1).Info("instance was deleted or replaced meanwhile", "instance", p.key, "cause", err.Error())
		if apierrors.IsConflict(err) {
			p.lookAgain(conflictRetry)
		}
		return true, nil
	}
	if err != nil {
		return false, err
	}
	c.accept(p, answer)
	return false, nil
}

// accept makes the server's answer the instance that the rest of the pass and later passes see.
func (c *Controller) accept(p *pass, answer map[string]any) {
	p.instance = &unstructured.Unstructured{Object: answer}
	c.clients.Instances.Wrote(c.gvr, p.instance)
}

func anyMap(in map[string]string) map[string]any {
	out := make(map[string]any, len(in))
	for k, v := range in {
		out[k] = v
	}
	return out
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
