package connection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// maxBound is how many APIs one binding holds.
const maxBound = 500

// bind keeps the managed ClusterBinding of autoBind. It goes when autoBind is off, and when the provider certainly exports
// nothing; what is unknown changes nothing.
func (r *Reconciler) bind(ctx context.Context, p *pass) (step.Outcome, error) {
	var have *v1alpha1.ClusterBinding
	for _, b := range p.bindings {
		if b.isManagedBy(p.conn) {
			have = b.cluster
		}
	}
	if !p.conn.Spec.AutoBind {
		return step.Next(), r.unbind(ctx, have)
	}
	if !p.known {
		return step.Next(), nil
	}
	apis := r.toBind(p, have)
	switch {
	case len(apis) == 0:
		return step.Next(), r.unbind(ctx, have)
	case have == nil:
		err := r.makeBinding(ctx, p.conn, apis)
		var taken noNameError
		if errors.As(err, &taken) { // the next round tries again
			p.say(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonConflict, taken.Error())
			err = nil
		}
		return step.Next(), err
	case have.DeletionTimestamp != nil:
		return step.Next(), nil
	}
	next := managed(have, p.name, apis)
	if equality.Semantic.DeepEqual(have, next) {
		return step.Next(), nil
	}
	if err := r.deps.live.Update(ctx, next, client.FieldOwner(v1alpha1.FieldManager)); err != nil {
		return step.Stop(), fmt.Errorf("updating the managed ClusterBinding %q: %w", next.Name, err)
	}
	return step.Next(), nil
}

// managed gives a managed binding as it should be: with these APIs and our labels, and so that it goes without taking anything
// along: it does that by itself at times. What people say in it beside that stays.
func managed(have *v1alpha1.ClusterBinding, connection string, apis []string) *v1alpha1.ClusterBinding {
	next := have.DeepCopy()
	if !slices.Equal(names(have.Spec.APIs), apis) {
		next.Spec.APIs = merged(have.Spec.APIs, apis)
	}
	next.Spec.DeletionPolicy = v1alpha1.BindingDeletionRetain
	metav1.SetMetaDataLabel(&next.ObjectMeta, v1alpha1.LabelManaged, v1alpha1.True)
	metav1.SetMetaDataLabel(&next.ObjectMeta, v1alpha1.LabelConnection, connection)
	return next
}

// toBind names the APIs of the managed binding, sorted: all exports, or with Referenced those in use. A withdrawn one, or
// one that nothing refers to any more, stays as long as its definition does.
func (r *Reconciler) toBind(p *pass, have *v1alpha1.ClusterBinding) []string {
	var before []string
	if have != nil {
		before = names(have.Spec.APIs)
	}
	if len(p.exports) == 0 {
		return nil
	}
	isReferenced := p.conn.Spec.Schema.PullPolicy == v1alpha1.PullPolicyReferenced
	var out []string
	for _, api := range p.conn.Status.ExportedAPIs {
		isUsed := api.State != v1alpha1.ExportedAPIWithdrawn && (!isReferenced || r.uses.has(groupKindOf(api)))
		isKept := slices.Contains(before, api.Name) && p.memory.idle[api.Name].IsZero() && (isReferenced || api.State == v1alpha1.ExportedAPIWithdrawn)
		if isUsed || isKept {
			out = append(out, api.Name)
		}
	}
	return fitting(out, before)
}

// fitting gives as many names as one binding holds, sorted: first those that it has, so that no new export drives one out.
func fitting(names, before []string) []string {
	if len(names) <= maxBound {
		return names
	}
	isBound := map[string]bool{}
	for _, name := range before {
		isBound[name] = true
	}
	var had, others []string
	for _, name := range names {
		if isBound[name] {
			had = append(had, name)
		} else {
			others = append(others, name)
		}
	}
	out := slices.Concat(had, others)[:maxBound]
	slices.Sort(out)
	return out
}

// merged gives the wanted list, with what people have added to its entries.
func merged(have []v1alpha1.BoundAPISpec, wanted []string) []v1alpha1.BoundAPISpec {
	out := make([]v1alpha1.BoundAPISpec, len(wanted))
	for i, name := range wanted {
		out[i].Name = name
		if at := slices.IndexFunc(have, func(b v1alpha1.BoundAPISpec) bool { return b.Name == name }); at >= 0 {
			out[i] = have[at]
		}
	}
	return out
}

// makeBinding takes the Connection's name, and a longer one where somebody else has a binding of that name. One that is
// there and ours was made by an earlier pass, and the cache shows it in a moment.
func (r *Reconciler) makeBinding(ctx context.Context, conn *v1alpha1.Connection, apis []string) error {
	binding := managed(&v1alpha1.ClusterBinding{Spec: v1alpha1.BindingSpec{
		ConnectionRef: v1alpha1.ConnectionReference{Name: conn.Name}, ConflictPolicy: v1alpha1.ConflictPolicyFail,
	}}, conn.Name, apis)
	if err := controllerutil.SetControllerReference(conn, binding, r.deps.live.Scheme()); err != nil {
		return fmt.Errorf("owning the managed ClusterBinding: %w", err)
	}
	names := []string{conn.Name, fmt.Sprintf("%s-%.8s", conn.Name, conn.UID)}
	for _, name := range names {
		next := binding.DeepCopy()
		next.Name = name
		err := r.deps.live.Create(ctx, next, client.FieldOwner(v1alpha1.FieldManager))
		if err == nil {
			return nil
		}
		if !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("creating the managed ClusterBinding %q: %w", name, err)
		}
		live := &v1alpha1.ClusterBinding{}
		if err := r.deps.live.Get(ctx, types.NamespacedName{Name: name}, live); err != nil {
			return fmt.Errorf("reading the ClusterBinding %q: %w", name, err)
		}
		if (reference{cluster: live}).isManagedBy(conn) {
			return nil
		}
	}
	return noNameError{names}
}

// noNameError says that somebody else has every ClusterBinding of these names.
type noNameError struct{ names []string }

// Error is for people.
func (e noNameError) Error() string {
	return fmt.Sprintf("the managed ClusterBinding finds no name: %s are somebody else's; delete one of them, or make it anew under another name",
		strings.Join(e.names, " and "))
}

// unbind deletes just this binding; nil is none.
func (r *Reconciler) unbind(ctx context.Context, binding *v1alpha1.ClusterBinding) error {
	if binding == nil || binding.DeletionTimestamp != nil {
		return nil
	}
	err := r.deps.live.Delete(ctx, binding.DeepCopy(), client.Preconditions{UID: &binding.UID})
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting the managed ClusterBinding %q: %w", binding.Name, err)
	}
	return nil
}
