package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/api/v1alpha1"
)

// hold puts the finalizer on the object, before there is a copy.
func (s *syncer) hold(ctx context.Context, p *pass) error {
	p.confirmed = true // if it succeeds: it is for just the object that was looked at
	return s.setFinalizers(ctx, p, append(slices.Clone(p.obj.GetFinalizers()), v1alpha1.FinalizerSync))
}

// errNotAsSeen is an object that the cache shows as it was once.
var errNotAsSeen = errors.New("the object is gone, or going, though a cache shows it still")

// confirm asks the API server itself for an object that had its finalizer before its copy is made: a first list may be old, and
// what is gone must not come to life at the provider.
func (s *syncer) confirm(ctx context.Context, p *pass) error {
	if p.confirmed {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	live, err := s.objects(p.key).Get(ctx, p.key.Name, metav1.GetOptions{})
	switch {
	case isGone(err, p.key.Name):
		return &localError{errNotAsSeen}
	case err != nil:
		return &localError{fmt.Errorf("looking for %q: %w", p.key, err)}
	case live.GetUID() != p.obj.GetUID() || live.GetDeletionTimestamp() != nil:
		return &localError{errNotAsSeen}
	}
	p.confirmed = true
	return nil
}

// letGo takes the finalizer off the object.
func (s *syncer) letGo(ctx context.Context, p *pass) error {
	rest := slices.DeleteFunc(slices.Clone(p.obj.GetFinalizers()), func(f string) bool { return f == v1alpha1.FinalizerSync })
	err := s.setFinalizers(ctx, p, rest)
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// setFinalizers writes the list as a whole, so that it holds for just the state that was looked at.
func (s *syncer) setFinalizers(ctx context.Context, p *pass, finalizers []string) error {
	list := make([]any, len(finalizers))
	for i, f := range finalizers {
		list[i] = f
	}
	metadata := map[string]any{"uid": string(p.obj.GetUID()), "resourceVersion": p.obj.GetResourceVersion(), "finalizers": list}
	return s.patchObject(ctx, p, metadata)
}

// patchObject merges into the metadata of the consumer's object.
func (s *syncer) patchObject(ctx context.Context, p *pass, metadata map[string]any) error {
	body, err := json.Marshal(map[string]any{"metadata": metadata})
	if err != nil {
		return fmt.Errorf("encoding a change of %q: %w", p.key, err)
	}
	return s.patch(ctx, p, change{types.MergePatchType, body, ""})
}

// change is a patch of the consumer's object.
type change struct {
	kind        types.PatchType
	body        []byte
	subresource string // empty: the object itself
}

func (s *syncer) patch(ctx context.Context, p *pass, c change) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var subresources []string
	if c.subresource != "" {
		subresources = []string{c.subresource}
	}
	options := metav1.PatchOptions{FieldManager: v1alpha1.SyncManager}
	answer, err := s.objects(p.key).Patch(ctx, p.key.Name, c.kind, c.body, options, subresources...)
	s.cfg.Metrics.wrote(s.task, down, err)
	if err != nil {
		return &localError{fmt.Errorf("writing %q: %w", p.key, err)}
	}
	if isAlive(answer) {
		s.consumer.Wrote(answer)
		p.obj = answer
	}
	s.ledger.wrote(s.cfg.Now())
	return nil
}

// isAlive tells whether the object outlives the write: one that is being deleted goes with its last finalizer.
func isAlive(answer *unstructured.Unstructured) bool {
	return answer.GetDeletionTimestamp() == nil || len(answer.GetFinalizers()) > 0
}

func (s *syncer) objects(key types.NamespacedName) dynamic.ResourceInterface {
	resource := s.cfg.Consumer.Resource(s.task.Resource)
	if key.Namespace == "" {
		return resource
	}
	return resource.Namespace(key.Namespace)
}

// localError is a failure in this cluster, which is no fault of the provider.
type localError struct{ error }

func (e *localError) Unwrap() error { return e.error }
