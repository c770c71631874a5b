package apply

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/runtime/plan"
)

func TestFaultOf(t *testing.T) {
	cases := map[string]struct {
		err  error
		want plan.Fault // Message: a part of it
	}{
		"namespace missing": {apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, "team-a"),
			plan.Fault{Reason: plan.ReasonProgressing, Message: "namespace team-a"}},
		"namespace goes": {statusError(http.StatusForbidden, metav1.StatusReasonForbidden, metav1.StatusCause{Type: "NamespaceTerminating"}),
			plan.Fault{Reason: plan.ReasonProgressing, Message: "is being deleted"}},
		"kind missing": {statusError(http.StatusNotFound, metav1.StatusReasonNotFound),
			plan.Fault{Reason: plan.ReasonProgressing, Message: "kind ConfigMap"}},
		"invalid": {invalidError("data.a", metav1.CauseTypeFieldValueInvalid),
			plan.Fault{Reason: plan.ReasonInvalidObject, Message: "data.a: s3cret is wrong"}},
		"fields of others": {statusError(http.StatusConflict, metav1.StatusReasonConflict,
			metav1.StatusCause{Type: metav1.CauseTypeFieldManagerConflict, Field: ".data.a", Message: `conflict with "kubectl"`}),
			plan.Fault{Reason: plan.ReasonConflict, Message: `data.a (conflict with "kubectl")`}},
		"too large": {apierrors.NewRequestEntityTooLargeError("3 MiB"), plan.Fault{Reason: plan.ReasonInvalidObject, Message: "3 MiB"}},
		"too many":  {apierrors.NewTooManyRequests("busy", 1), plan.Fault{Reason: plan.ReasonApplyError, Passing: true, Message: "busy"}},
		"internal":  {apierrors.NewInternalError(errors.New("webhook")), plan.Fault{Reason: plan.ReasonApplyError, Passing: true, Message: "webhook"}},
		"deadline": {fmt.Errorf("calling: %w", context.DeadlineExceeded),
			plan.Fault{Reason: plan.ReasonApplyError, Passing: true, Message: "did not answer in time"}},
		"no connection": {fmt.Errorf("calling: %w", &url.Error{Op: "Patch", URL: "https://127.0.0.1:6443/api", Err: errors.New("EOF")}),
			plan.Fault{Reason: plan.ReasonApplyError, Passing: true, Message: "the API server did not answer: EOF"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := faultOf(configMap(nil), c.err)
			if got.Reason != c.want.Reason || got.Passing != c.want.Passing || !strings.Contains(got.Message, c.want.Message) {
				t.Errorf("fault %+v, want %+v", *got, c.want)
			}
		})
	}
}

func TestSecretsAreNotQuoted(t *testing.T) {
	obj := configMap(nil)
	obj.Secret = true
	for _, err := range []error{
		invalidError("data.a", metav1.CauseTypeFieldValueInvalid),
		apierrors.NewBadRequest("s3cret"), apierrors.NewInternalError(errors.New("s3cret")),
	} {
		if got := faultOf(obj, err); strings.Contains(got.Message, "s3cret") {
			t.Errorf("message %q quotes a secret", got.Message)
		}
	}
}
