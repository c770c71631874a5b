package connection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/schema"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// install brings the definitions of wanted exports here up to date and says where each stands. One that fails holds up no
// other. What is no longer exported stays as it is.
func (r *Reconciler) install(ctx context.Context, p *pass) (step.Outcome, error) {
	if !p.known {
		return step.Next(), nil
	}
	ours, err := r.installed(ctx, p.name)
	if err != nil {
		return step.Stop(), err
	}
	bound, err := r.bound(ctx, p)
	if err != nil {
		return step.Stop(), err
	}
	var faults []error
	list := []v1alpha1.ExportedAPI{}
	for _, e := range p.exports {
		question := schema.Question{
			Connection: p.name, Export: e, Have: ours[e.Name()], Wanted: r.wants(p, e, bound),
			Once: p.conn.Spec.Schema.UpdatePolicy == v1alpha1.UpdatePolicyOnce || p.conn.Spec.Schema.PullPolicy == v1alpha1.PullPolicyNone,
		}
		answer, err := r.settle(ctx, p, question)
		if err != nil {
			faults = append(faults, fmt.Errorf("installing %q: %w", e.Name(), err))
		}
		list = append(list, entryOf(e, answer))
		delete(ours, e.Name())
	}
	for _, definition := range ours {
		list = append(list, withdrawn(definition))
		if opened, wasClosed := openedFrom(definition, nil); wasClosed {
			if _, err := r.replace(ctx, schema.Question{Have: definition}, schema.Answer{Replace: opened}); err != nil {
				faults = append(faults, fmt.Errorf("opening %q again: %w", definition.Name, err))
			}
		}
	}
	slices.SortFunc(list, func(a, b v1alpha1.ExportedAPI) int { return cmp.Compare(a.Name, b.Name) })
	p.conn.Status.ExportedAPIs = list
	p.saySchemas()
	return step.Next(), errors.Join(faults...)
}

// installed gives the definitions that carry the Connection's label, by name. They are shared.
func (r *Reconciler) installed(ctx context.Context, connection string) (map[string]*apiextensionsv1.CustomResourceDefinition, error) {
	list := &apiextensionsv1.CustomResourceDefinitionList{}
	err := r.deps.cached.List(ctx, list, client.MatchingLabels{v1alpha1.LabelConnection: connection}, client.UnsafeDisableDeepCopy)
	if err != nil {
		return nil, fmt.Errorf("listing the installed CustomResourceDefinitions: %w", err)
	}
	out := map[string]*apiextensionsv1.CustomResourceDefinition{}
	for i := range list.Items {
		out[list.Items[i].Name] = &list.Items[i]
	}
	return out, nil
}

// wants tells whether the pull policy wants an export here.
func (r *Reconciler) wants(p *pass, e schema.Export, bound map[string]bool) bool {
	switch p.conn.Spec.Schema.PullPolicy {
	case v1alpha1.PullPolicyAll:
		return true
	case v1alpha1.PullPolicyReferenced:
		return bound[e.Name()] || r.uses.has(e.GroupKind())
	case v1alpha1.PullPolicyNone:
		return false
	case v1alpha1.PullPolicyBound:
	}
	return bound[e.Name()]
}

// settle decides on one export and writes its definition.
func (r *Reconciler) settle(ctx context.Context, p *pass, q schema.Question) (schema.Answer, error) {
	if q.Have == nil {
		q.Have = p.memory.foreign[q.Export.Name()]
	}
	opened, wasClosed := openedFrom(q.Have, q.Export.Versions)
	q.Have = opened
	answer := schema.Decide(q)
	if wasClosed && answer.Replace == nil && schema.IsOurs(opened, p.name) {
		answer.Replace = opened
	}
	switch {
	case answer.Create != nil:
		return r.create(ctx, p, q, answer)
	case answer.Replace != nil:
		return r.replace(ctx, q, answer)
	}
	return answer, nil
}

// create makes a definition. One that exists all the same is not in the cache, or is somebody else's.
func (r *Reconciler) create(ctx context.Context, p *pass, q schema.Question, answer schema.Answer) (schema.Answer, error) {
	name := answer.Create.Name
	err := r.deps.live.Create(ctx, answer.Create, client.FieldOwner(v1alpha1.FieldManager))
	if !apierrors.IsAlreadyExists(err) {
		return refused(answer, err)
	}
	live := &apiextensionsv1.CustomResourceDefinition{}
	if err := r.deps.live.Get(ctx, types.NamespacedName{Name: name}, live); err != nil {
		return answer, fmt.Errorf("reading what exists of that name: %w", err)
	}
	q.Have = live
	if !schema.IsOurs(live, p.name) {
		p.memory.foreign[name] = live
	}
	answer = schema.Decide(q)
	if answer.Replace != nil {
		return r.replace(ctx, q, answer)
	}
	return answer, nil
}

// replace puts a definition in the place of the one that was looked at.
func (r *Reconciler) replace(ctx context.Context, q schema.Question, answer schema.Answer) (schema.Answer, error) {
	next := answer.Replace.DeepCopy()
	next.UID, next.ResourceVersion = q.Have.UID, q.Have.ResourceVersion
	next.Finalizers, next.OwnerReferences, next.Status = q.Have.Finalizers, q.Have.OwnerReferences, q.Have.Status
	return refused(answer, r.deps.live.Update(ctx, next, client.FieldOwner(v1alpha1.FieldManager)))
}

// refused takes a definition that the API server does not want for invalid; another error is passing.
func refused(answer schema.Answer, err error) (schema.Answer, error) {
	if apierrors.IsInvalid(err) {
		return schema.Answer{State: v1alpha1.ExportedAPIInvalid, Reason: schema.ReasonInvalidSchema, Message: "the API server here refuses its definition: " + err.Error()}, nil
	}
	return answer, err
}

func entryOf(e schema.Export, answer schema.Answer) v1alpha1.ExportedAPI {
	return v1alpha1.ExportedAPI{
		Name: e.Name(), Group: e.Group, Resource: e.Resource, Kind: e.Kind, Scope: e.Scope(), Versions: e.Versions,
		State: answer.State, Reason: string(answer.Reason), Message: answer.Message,
	}
}

// withdrawn is an API that is installed and that the provider exports no more.
func withdrawn(definition *apiextensionsv1.CustomResourceDefinition) v1alpha1.ExportedAPI {
	e := schema.Export{
		Group: definition.Spec.Group, Resource: definition.Spec.Names.Plural, Kind: definition.Spec.Names.Kind,
		Namespaced: definition.Spec.Scope == apiextensionsv1.NamespaceScoped,
	}
	for _, v := range definition.Spec.Versions {
		if v.Served {
			e.Versions = append(e.Versions, v.Name)
		}
	}
	return entryOf(e, schema.Answer{State: v1alpha1.ExportedAPIWithdrawn, Reason: v1alpha1.ReasonAPIWithdrawn,
		Message: "the provider no longer exports it, or spec.schema leaves it out; its definition and all objects stay"})
}

// saySchemas names the APIs that are not as they should be.
func (p *pass) saySchemas() {
	var bad []string
	var reason v1alpha1.Reason
	for _, api := range p.conn.Status.ExportedAPIs {
		if !isBad(api.State) {
			continue
		}
		if reason == "" {
			reason = v1alpha1.Reason(api.State)
		}
		bad = append(bad, fmt.Sprintf("%s: %s", api.Name, api.Message))
	}
	if len(bad) > 0 {
		p.say(v1alpha1.ConditionSchemaInSync, metav1.ConditionFalse, reason, strings.Join(bad, "\n"))
		return
	}
	p.say(v1alpha1.ConditionSchemaInSync, metav1.ConditionTrue, v1alpha1.ReasonAsExpected, "every wanted schema is installed as the provider has it")
}

func isBad(state v1alpha1.ExportedAPIState) bool {
	switch state {
	case v1alpha1.ExportedAPIConflict, v1alpha1.ExportedAPIInvalid, v1alpha1.ExportedAPIUnsupported:
		return true
	case v1alpha1.ExportedAPIAvailable, v1alpha1.ExportedAPIInstalled, v1alpha1.ExportedAPIWithdrawn:
	}
	return false
}
