package apply

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/plait-run/plait/dynamiccontroller/emptied"
	"github.com/plait-run/plait/dynamiccontroller/managedfields"
	"github.com/plait-run/plait/runtime/plan"
)

// AccessFunc tells whether the identity of a request may do this; it asks the API server.
type AccessFunc func(ctx context.Context, verb string, at Place) (bool, error)

// Request is one object to write.
type Request struct {
	Owner  Owner
	Object plan.Object
	Body   map[string]any // Owner.Marked of Object, whose identity Apply fills in; nil: made here
	Live   map[string]any // as it was when the write was planned; nil: nothing was there
	Known  types.UID      // that the instance's status gives for the object; empty: none
	API    API
	MayDo  AccessFunc // nil: every 403 is a missing right
	// Replacing is told, with the server's reason, before the object is deleted to be created anew; may be nil.
	Replacing func(cause string)
}

func (r Request) at() Place {
	return Place{Resource: r.Object.Resource, Namespace: r.Object.Key.Namespace, Name: r.Object.Key.Name}
}

// restartGrace is how long after a lost connection a 403 is not believed: an API server that has just started
// refuses for a moment.
const restartGrace = 10 * time.Second

// Applier writes objects. The zero value is not usable; safe for concurrent use.
type Applier struct {
	now  func() time.Time
	lost atomic.Int64 // when the connection was last lost, in Unix nanoseconds; 0: never
}

// New gives an applier that tells time by now.
func New(now func() time.Time) *Applier { return &Applier{now: now} }

// Apply brings one object to what is wanted and gives the server's answer, or says why it could not.
func (a *Applier) Apply(ctx context.Context, r Request) (map[string]any, *plan.Fault) {
	if r.Body == nil {
		r.Body = r.Owner.Marked(r.Object)
	}
	if r.Live != nil {
		return a.update(ctx, r, r.Live)
	}
	return a.create(ctx, r)
}

// create writes an object of which nothing is known.
func (a *Applier) create(ctx context.Context, r Request) (map[string]any, *plan.Fault) {
	setMetadata(r.Body, "resourceVersion", createOnly)
	answer, err := r.API.Patch(ctx, r.at(), Patch{Body: r.Body, Force: !r.Object.Lifecycle.FailConflict})
	if isExisting(err) {
		r.Body = r.Owner.Marked(r.Object)
		return a.take(ctx, r)
	}
	return answer, a.faultOf(ctx, r, err)
}

// createOnly is a resource version that no stored object has: an apply that carries it creates, or is a conflict.
const createOnly = "1"

// isExisting is a conflict over the version, not over fields.
func isExisting(err error) bool {
	s, ok := statusOf(err)
	return ok && apierrors.IsConflict(err) && !isManagerConflict(s)
}

// take decides about an object that is there although nothing was known of it.
func (a *Applier) take(ctx context.Context, r Request) (map[string]any, *plan.Fault) {
	live, err := r.API.Get(ctx, r.at())
	if apierrors.IsNotFound(err) {
		return nil, &plan.Fault{
			Reason: plan.ReasonApplyError, Passing: true,
			Message: "the API server says that it exists, and does not find it",
		}
	}
	if err != nil {
		return nil, a.faultOf(ctx, r, err, "get")
	}
	claim := r.Owner.Judge(live, r.Known)
	if claim == Foreign || (claim == Adoptable && !r.Object.Lifecycle.Adopt) {
		return nil, notOwned(claim)
	}
	return a.update(ctx, r, live)
}

func notOwned(claim Claim) *plan.Fault {
	cure := "delete it, or give the template another name"
	if claim == Adoptable {
		cure = "delete it, give the template another name, or set lifecycle.adoption: IfUnowned to take it over"
	}
	return &plan.Fault{
		Reason:  plan.ReasonObjectNotOwned,
		Message: "it exists already and was not made by this instance; " + cure,
	}
}

func (a *Applier) update(ctx context.Context, r Request, live map[string]any) (map[string]any, *plan.Fault) {
	u := unstructured.Unstructured{Object: live}
	if u.GetDeletionTimestamp() != nil {
		return nil, waiting("deleting " + r.Object.Key.String())
	}
	body := r.Body
	setMetadata(body, "uid", string(u.GetUID()))
	if paths := ignored(r.Object); len(paths) > 0 {
		body = carryLive(body, live, paths)
		setMetadata(body, "resourceVersion", u.GetResourceVersion())
	}
	answer, err := r.write(ctx, body, live)
	if isReplaced(err) {
		return nil, &plan.Fault{
			Reason: plan.ReasonApplyError, Passing: true,
			Message: "it was replaced or deleted meanwhile",
		}
	}
	if a.isReplaceable(ctx, r, live, err) {
		return a.replace(ctx, r, live, err)
	}
	return answer, a.faultOf(ctx, r, err)
}

// write applies a body to the object that is there: in two when a map of a custom resource becomes empty.
func (r Request) write(ctx context.Context, body, live map[string]any) (map[string]any, error) {
	patch := Patch{Body: body, Force: !r.Object.Lifecycle.FailConflict}
	if lean, ok := emptied.Lean(body, live); ok && !scheme.Scheme.Recognizes(r.Object.GVK) {
		first := patch
		first.Body = lean
		answer, err := r.API.Patch(ctx, r.at(), first)
		if err != nil {
			return nil, err
		}
		if _, versioned := lookup(body, versionPath); versioned {
			u := unstructured.Unstructured{Object: answer}
			setMetadata(body, "resourceVersion", u.GetResourceVersion())
		}
	}
	return r.API.Patch(ctx, r.at(), patch)
}

var versionPath = []step{{key: "metadata", index: -1}, {key: "resourceVersion", index: -1}}

// isReplaced tells whether the object of the planned UID is not there any more: gone (409) or another one (422).
func isReplaced(err error) bool {
	return isExisting(err) || (apierrors.IsInvalid(err) && hasCauseAt(err, "metadata.uid"))
}

func hasCauseAt(err error, field string) bool {
	s, ok := statusOf(err)
	return ok && s.Details != nil &&
		slices.ContainsFunc(s.Details.Causes, func(c metav1.StatusCause) bool { return c.Field == field })
}

// carryLive puts the live values of ignored fields in place of the rendered ones: leaving a field of ours out would
// delete it. A replica count that a scaler owns is left out, since it is not ours any more.
func carryLive(body, live map[string]any, paths []string) map[string]any {
	var out any = body
	for _, p := range paths {
		path := parsePath(p)
		value, ok := lookup(live, path)
		isScaled := strings.HasSuffix(p, "spec.replicas") && managedfields.IsScaled(live)
		out = replaced(out, path, value, ok && !isScaled)
	}
	result, _ := out.(map[string]any)
	return result
}

// setMetadata is for bodies made by Marked, whose metadata is a copy.
func setMetadata(body map[string]any, key, value string) {
	metadata, _ := body["metadata"].(map[string]any)
	metadata[key] = value
}

// faultOf is nil for no error. A 403 is looked into once: the identity may do it (then a quota or policy refused),
// or it may not (then the missing rule is named).
func (a *Applier) faultOf(ctx context.Context, r Request, err error, verbs ...string) *plan.Fault {
	if err == nil {
		return nil
	}
	if fault := unreadable(r.Object, err); fault != nil {
		return fault
	}
	if fault := a.malformed(ctx, r, err); fault != nil {
		return fault
	}
	fault := faultOf(r.Object, err)
	if fault.Passing {
		a.noteLost(err)
	}
	if fault.Reason != plan.ReasonForbidden {
		return fault
	}
	if last := a.lost.Load(); last != 0 && a.now().Sub(time.Unix(0, last)) < restartGrace {
		return passing(r.Object, err)
	}
	if len(verbs) == 0 {
		verbs = []string{"patch", "create"}
	}
	return a.denied(ctx, r, fault, verbs)
}

func (a *Applier) denied(ctx context.Context, r Request, fault *plan.Fault, verbs []string) *plan.Fault {
	if r.MayDo == nil {
		return fault
	}
	for _, verb := range verbs {
		allowed, err := r.MayDo(ctx, verb, r.at())
		if apierrors.IsForbidden(err) { // the engine may not even act as the identity, as the fault tells
			return fault
		}
		if err != nil {
			return passing(r.Object, err)
		}
		if !allowed {
			return &plan.Fault{Reason: plan.ReasonForbidden, Message: missingRule(r, verb)}
		}
	}
	fault.Reason = plan.ReasonAdmissionDenied
	return fault
}

func missingRule(r Request, verb string) string {
	where := "in the cluster"
	if r.Object.Key.Namespace != "" {
		where = "in namespace " + r.Object.Key.Namespace
	}
	group := r.Object.Resource.Group
	return fmt.Sprintf("this needs the right to %s %s of API group %q %s; `plait rbac` prints the role",
		verb, r.Object.Resource.Resource, group, where)
}

// noteLost remembers when no API server answered.
func (a *Applier) noteLost(err error) {
	if _, answered := statusOf(err); !answered {
		a.lost.Store(a.now().UnixNano())
	}
}
