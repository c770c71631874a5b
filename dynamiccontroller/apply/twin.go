package apply

import (
	"context"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/dynamiccontroller/contenthash"
	"github.com/plait-run/plait/runtime/plan"
)

// tryTwin creates an object like the wanted one, of another name and without keeping it: what the API server says of that
// is about the content alone.
func (a *Applier) tryTwin(ctx context.Context, r Request, rendered map[string]any) error {
	twin := r.Object
	twin.Rendered, twin.Key.Name = rendered, "plait-"+strings.TrimPrefix(r.Owner.HashOf(r.Object), contenthash.Algorithm+"-")
	body := r.Owner.Marked(twin)
	setMetadata(body, "resourceVersion", createOnly)
	at := r.at()
	at.Name = twin.Key.Name
	_, err := r.API.Patch(ctx, at, Patch{Body: body, Force: true, DryRun: true})
	return err
}

// malformed explains an answer of 500 to an object that does not fit its kind's schema, such as one with a list whose
// items lack a key: API servers answer so, since they merge before they validate. Nil: as far as can be told the object is
// well. Nothing but words tells such an answer from a fault of the server, so it is found out: a twin is answered so too,
// and one without any content is not.
func (a *Applier) malformed(ctx context.Context, r Request, err error) *plan.Fault {
	if !isBare(err) || r.Object.Rendered == nil || !isBare(a.tryTwin(ctx, r, r.Object.Rendered)) {
		return nil
	}
	content := map[string]any{"apiVersion": r.Object.Rendered["apiVersion"], "kind": r.Object.Rendered["kind"]}
	if s, answered := statusOf(a.tryTwin(ctx, r, content)); answered && s.Code >= http.StatusInternalServerError {
		return nil
	}
	s, _ := statusOf(err)
	return &plan.Fault{Reason: plan.ReasonInvalidObject, Message: refusalText(r.Object, s)}
}

// isBare is an answer of 500 without a reason: an error that the API server did not expect.
func isBare(err error) bool {
	s, answered := statusOf(err)
	return answered && s.Code == http.StatusInternalServerError && s.Reason == metav1.StatusReasonUnknown
}
