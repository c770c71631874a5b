package sync

import (
	"context"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// reviewTime is how long an answer about rights is believed.
const reviewTime = 30 * time.Second

var accessReviews = schema.GroupVersionResource{Group: "authorization.k8s.io", Version: "v1", Resource: "selfsubjectaccessreviews"}

// reviews asks a provider what its credentials may do. Safe for concurrent use.
type reviews struct {
	client dynamic.Interface
	now    func() time.Time

	mu      sync.Mutex
	answers map[question]answer
}

type question struct {
	verb      string
	resource  schema.GroupResource
	namespace string
}

type answer struct {
	allowed bool
	until   time.Time
}

func newReviews(client dynamic.Interface, now func() time.Time) *reviews {
	return &reviews{client: client, now: now, answers: map[question]answer{}}
}

func (r *reviews) may(ctx context.Context, verb string, resource schema.GroupResource, namespace string) (bool, error) {
	q := question{verb, resource, namespace}
	r.mu.Lock()
	had, ok := r.answers[q]
	r.mu.Unlock()
	if ok && r.now().Before(had.until) {
		return had.allowed, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	review := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": accessReviews.GroupVersion().String(), "kind": "SelfSubjectAccessReview",
		"spec": map[string]any{"resourceAttributes": map[string]any{
			"verb": verb, "group": resource.Group, "resource": resource.Resource, "namespace": namespace,
		}},
	}}
	got, err := r.client.Resource(accessReviews).Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return false, fmt.Errorf("asking the provider whether one may %s %s: %w", verb, resource, err)
	}
	allowed, _, _ := unstructured.NestedBool(got.Object, "status", "allowed")
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers[q] = answer{allowed, r.now().Add(reviewTime)}
	return allowed, nil
}
