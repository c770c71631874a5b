package apply

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/runtime/plan"
)

// Removal is one object to delete or to let go.
type Removal struct {
	Owner  Owner
	Object plan.Object    // Key, GVK and Resource count
	Live   map[string]any // as it was when the removal was planned; not nil
	Known  types.UID      // that the instance's status gives for the object; empty: none
	API    API
	MayDo  AccessFunc // nil: every 403 is a missing right
}

func (r Removal) request() Request {
	return Request{Owner: r.Owner, Object: r.Object, Live: r.Live, API: r.API}
}

// IsOrphan tells whether a child is to be left behind: it says so itself, since deletion knows no graph.
func IsOrphan(live map[string]any) bool {
	u := unstructured.Unstructured{Object: live}
	return u.GetAnnotations()[v1alpha1.AnnotationDeletion] == v1alpha1.DeletionPolicyOrphan
}

// Delete removes the object if it still is the one that was planned for and it is ours. gone is true when it is certainly
// not there any more; else an event tells when it is. A conflict is a passing fault: another object is there, as the cache
// is about to show, or the API server gave up under contention.
func (a *Applier) Delete(ctx context.Context, r Removal) (gone bool, fault *plan.Fault) {
	if r.Owner.Judge(r.Live, r.Known) < Recognised {
		return false, notOwned(Foreign)
	}
	u := unstructured.Unstructured{Object: r.Live}
	request := r.request()
	gone, err := r.API.Delete(ctx, request.at(), u.GetUID())
	switch {
	case apierrors.IsNotFound(err):
		return true, nil
	case apierrors.IsForbidden(err):
		return false, a.deletionDenied(ctx, r, err)
	case err != nil:
		return false, a.faultOf(ctx, request, err)
	}
	return gone, nil
}

func (a *Applier) deletionDenied(ctx context.Context, r Removal, err error) *plan.Fault {
	request := r.request()
	fault := a.faultOf(ctx, request, err)
	if fault.Passing || r.MayDo == nil {
		return fault
	}
	allowed, reviewErr := r.MayDo(ctx, "delete", request.at())
	switch {
	case reviewErr != nil:
		return passing(r.Object, reviewErr)
	case allowed:
		fault.Reason = plan.ReasonAdmissionDenied
		return fault
	}
	request.Object = r.Object
	return &plan.Fault{Reason: plan.ReasonForbidden, Message: missingRule(request, "delete")}
}

// Release takes the marks off the object and leaves the rest as it is.
func (a *Applier) Release(ctx context.Context, r Removal) *plan.Fault {
	request := r.request()
	_, err := r.API.Patch(ctx, request.at(), Patch{Type: types.MergePatchType, Body: releasePatch(r.Owner, r.Live)})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return a.faultOf(ctx, request, err)
}

// releasePatch carries UID and resource version, since it writes the list of owner references as a whole.
func releasePatch(o Owner, live map[string]any) map[string]any {
	u := unstructured.Unstructured{Object: live}
	labels, annotations := map[string]any{}, map[string]any{}
	for k := range o.labels() {
		labels[k] = nil
	}
	for _, k := range []string{
		v1alpha1.AnnotationInstance, v1alpha1.AnnotationNode, v1alpha1.AnnotationNeeds, v1alpha1.AnnotationItem,
		v1alpha1.AnnotationAppliedHash, v1alpha1.AnnotationDeletion,
	} {
		annotations[k] = nil
	}
	metadata := map[string]any{
		"uid": string(u.GetUID()), "resourceVersion": u.GetResourceVersion(),
		"labels": labels, "annotations": annotations,
	}
	references := u.GetOwnerReferences()
	if i := slices.IndexFunc(references, isReferenceTo(o)); i >= 0 {
		list, _, _ := unstructured.NestedSlice(live, "metadata", "ownerReferences")
		metadata["ownerReferences"] = slices.Delete(list, i, i+1)
	}
	return map[string]any{"metadata": metadata}
}

func isReferenceTo(o Owner) func(r metav1.OwnerReference) bool {
	return func(r metav1.OwnerReference) bool { return r.UID == o.UID }
}

// Describe names what keeps a deleted object: its finalizers.
func Describe(key plan.Key, live map[string]any) string {
	u := unstructured.Unstructured{Object: live}
	if f := u.GetFinalizers(); len(f) > 0 {
		return fmt.Sprintf("%s (finalizers %v)", key, f)
	}
	return key.String()
}
