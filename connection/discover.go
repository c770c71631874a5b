package connection

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/remote"
	"github.com/plait-run/plait/connection/schema"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// discover asks the provider for its exports when that is due. What cannot be asked leaves the last known ones.
func (r *Reconciler) discover(ctx context.Context, p *pass) (step.Outcome, error) {
	m := p.memory
	if !p.isDue {
		return step.NextFor(max(time.Second, r.nextRound(m).Sub(p.began))), nil
	}
	if !m.catalog.IsOf(p.provider) {
		m.catalog = schema.NewCatalog(p.provider)
	}
	exports, source, err := r.find(ctx, p)
	r.deps.Metrics.discovered(p.name, r.deps.Config.Now().Sub(p.began), err)
	if err != nil {
		return r.notDiscovered(p, err)
	}
	m.exports, m.known, m.failures = exports, true, 0
	m.generation, m.foundAt = p.conn.Generation, p.began
	p.exports, p.known = exports, true
	p.conn.Status.ActiveSchemaSource = source
	p.conn.Status.ProviderVersion = cmp.Or(m.catalog.Version(ctx), p.conn.Status.ProviderVersion)
	p.say(v1alpha1.ConditionPermissionDenied, metav1.ConditionFalse, v1alpha1.ReasonAsExpected, "the provider has refused nothing")
	return step.NextFor(r.deps.Config.Resync), nil
}

// nextRound is when the provider is asked again.
func (r *Reconciler) nextRound(m *memory) time.Time {
	if m.failures > 0 {
		return m.retryAt
	}
	return m.foundAt.Add(r.deps.Config.Resync)
}

// find asks the sources that the spec names. With Auto the second one is asked only where the first certainly has nothing,
// and never had anything that is installed here: what a provider withdraws must not come back by another way.
func (r *Reconciler) find(ctx context.Context, p *pass) ([]schema.Export, v1alpha1.SchemaSource, error) {
	spec := p.conn.Spec.Schema
	filter := schema.Filter{Include: spec.Include, Exclude: spec.Exclude}
	if spec.Source == v1alpha1.SchemaSourceOpenAPI {
		exports, err := p.memory.catalog.FromOpenAPI(ctx, filter)
		return exports, v1alpha1.SchemaSourceOpenAPI, err
	}
	exports, err := p.memory.catalog.FromDefinitions(ctx, filter)
	if err != nil || len(exports) > 0 || spec.Source == v1alpha1.SchemaSourceCRD {
		return exports, v1alpha1.SchemaSourceCRD, err
	}
	isInstalled := func(api v1alpha1.ExportedAPI) bool {
		return api.State == v1alpha1.ExportedAPIInstalled || api.State == v1alpha1.ExportedAPIWithdrawn
	}
	if p.was.ActiveSchemaSource == v1alpha1.SchemaSourceCRD && slices.ContainsFunc(p.was.ExportedAPIs, isInstalled) {
		return exports, v1alpha1.SchemaSourceCRD, nil
	}
	exports, err = p.memory.catalog.FromOpenAPI(ctx, filter)
	return exports, v1alpha1.SchemaSourceOpenAPI, err
}

// notDiscovered says at once what is refused, and the rest when it happens again and again.
func (r *Reconciler) notDiscovered(p *pass, err error) (step.Outcome, error) {
	after := r.failed(p)
	var denied *remote.DeniedError
	switch {
	case errors.As(err, &denied):
		after = r.deps.Config.Resync
		p.memory.retryAt = p.began.Add(after)
		p.say(v1alpha1.ConditionPermissionDenied, metav1.ConditionTrue, v1alpha1.ReasonForbidden, err.Error())
		p.say(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonForbidden, err.Error())
	case !r.isBlip(p) || !p.wasReady():
		p.say(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonDiscoveryFailed, "asking the provider for its exports: "+err.Error())
	}
	return step.NextFor(after), nil
}
