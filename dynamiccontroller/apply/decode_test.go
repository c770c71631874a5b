package apply

import (
	"context"
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/runtime/plan"
)

func deployment(cpu, replicas any) plan.Object {
	return plan.Object{
		GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"},
		Rendered: map[string]any{
			"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "a"},
			"spec": map[string]any{
				"replicas": replicas,
				"template": map[string]any{"spec": map[string]any{"containers": []any{
					map[string]any{"name": "first", "image": "x"},
					map[string]any{"name": "main", "resources": map[string]any{"requests": map[string]any{"cpu": cpu}}},
				}}},
			},
		},
	}
}

func TestUnreadable(t *testing.T) {
	internal := apierrors.NewInternalError(errors.New("quantities must match"))
	tests := map[string]struct {
		object plan.Object
		err    error
		want   string // empty: no fault of the object
	}{
		"a quantity that is none": {
			deployment("half", int64(1)), internal,
			`the API server cannot read spec.template.spec.containers[1].resources.requests.cpu, "half": `,
		},
		"text for a number":          {deployment("1", "two"), internal, `the API server cannot read spec.replicas, "two": `},
		"a long value is cut":        {deployment(strings.Repeat("x", 80), int64(1)), internal, `"` + strings.Repeat("x", 64) + `…": `},
		"nothing is wrong with it":   {deployment("500m", int64(1)), internal, ""},
		"another answer":             {deployment("half", int64(1)), apierrors.NewTooManyRequests("busy", 1), ""},
		"no answer":                  {deployment("half", int64(1)), context.DeadlineExceeded, ""},
		"a kind that is not known":   {plan.Object{GVK: schema.GroupVersionKind{Kind: "X"}, Rendered: map[string]any{"a": "b"}}, internal, ""},
		"an object that is not kept": {plan.Object{GVK: deployment("", 1).GVK}, internal, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := unreadable(tt.object, tt.err)
			switch {
			case tt.want == "" && got != nil:
				t.Errorf("it is called invalid: %s", got.Message)
			case tt.want != "" && (got == nil || got.Passing || got.Reason != plan.ReasonInvalidObject || !strings.Contains(got.Message, tt.want)):
				t.Errorf("fault %+v, want %q", got, tt.want)
			}
		})
	}
	secret := deployment("half", int64(1))
	secret.Secret = true
	if got := unreadable(secret, internal); got == nil || strings.Contains(got.Message, "half") || !strings.Contains(got.Message, "requests.cpu") {
		t.Errorf("of an object with secrets: %+v, want the field and no value", got)
	}
}

// TestRefusalsOfSecrets shows the words of a quota, and hides those that quote the object.
func TestRefusalsOfSecrets(t *testing.T) {
	object := plan.Object{Secret: true, Rendered: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "key", "namespace": "team"},
		"data": map[string]any{"password": "czNjcmV0"}, "stringData": map[string]any{"user": "alice"},
	}}
	for text, isShown := range map[string]bool{
		"exceeded quota: small, requested: secrets=1": true,
		"key in team is not wanted":                   true,
		"the password s3cret is too short":            false,
		"data.password must not be czNjcmV0":          false,
		"alice may not have one":                      false,
	} {
		err := apierrors.NewForbidden(schema.GroupResource{Resource: "secrets"}, "key", errors.New(text))
		if got := faultOf(object, err); strings.Contains(got.Message, text) != isShown {
			t.Errorf("%q is shown: %v, want %v; the message is %q", text, !isShown, isShown, got.Message)
		}
	}
}
