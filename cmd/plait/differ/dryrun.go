package differ

import (
	"context"

	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/runtime/plan"
)

// dryRun is an API that keeps nothing.
type dryRun struct{ apply.API }

// Patch is part of apply.API.
func (d dryRun) Patch(ctx context.Context, at apply.Place, p apply.Patch) (map[string]any, error) {
	p.DryRun = true
	return d.API.Patch(ctx, at, p)
}

// Delete is part of apply.API. It says that the object is still there, which ends a replacement.
func (dryRun) Delete(context.Context, apply.Place, types.UID) (gone bool, err error) {
	return false, nil
}

// trial tries one object out, and tells what would come of it; nil when that is nothing that anybody would see.
func trial(ctx context.Context, applier *apply.Applier, r apply.Request) *Object {
	out := Object{
		Node: r.Object.Node, Kind: r.Object.Key.Kind, Namespace: r.Object.Key.Namespace, Name: r.Object.Key.Name, Action: Update,
	}
	if r.Live == nil {
		out.Action = Create
	}
	r.API = dryRun{r.API}
	r.Replacing = func(string) { out.Action = Replace }
	answer, fault := applier.Apply(ctx, r)
	isSecret := r.Object.Secret || r.Object.Key.Kind == "Secret"
	switch {
	case out.Action == Replace:
		out.Fields, out.Omitted = compareFields(r.Live, applied(r), isSecret)
	case fault != nil && fault.Reason != plan.ReasonProgressing:
		out.Action, out.Message = Fail, fault.Message
	case fault != nil:
		out.Message = "waits for " + fault.Message
	case out.Action == Update:
		out.Fields, out.Omitted = compareFields(r.Live, answer, isSecret)
		if len(out.Fields) == 0 {
			return nil
		}
	}
	return &out
}

// applied is the live object with the rendered fields on top: what a replacement is about.
func applied(r apply.Request) map[string]any { return over(r.Live, r.Object.Rendered) }

func over(below, above map[string]any) map[string]any {
	out := make(map[string]any, len(below))
	for key, value := range below {
		out[key] = value
	}
	for key, value := range above {
		a, isObject := value.(map[string]any)
		b, wasObject := out[key].(map[string]any)
		if isObject && wasObject {
			value = over(b, a)
		}
		out[key] = value
	}
	return out
}
