package sync

import (
	"context"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// misfits tells whether the provider answered so because the copy does not fit its schema, such as one with a field that
// is not declared there: API servers answer 500 without a reason then, as to a fault of their own. So it is found out by
// dry runs: a copy of another name is answered alike, and one without any content is not.
func (s *syncer) misfits(ctx context.Context, p *pass, err error) bool {
	if !isBare(err) || p.up == nil || p.obj == nil {
		return false
	}
	at := s.placeOf(p.key)
	at.Name = "plait-" + string(p.obj.GetUID())
	if !isBare(s.copies.try(ctx, at, p.up)) {
		return false
	}
	err = s.copies.try(ctx, at, map[string]any{"apiVersion": p.up["apiVersion"], "kind": p.up["kind"]})
	code, _ := answerOf(err)
	return err == nil || code != 0 && code < http.StatusInternalServerError
}

// isBare is an answer of 500 without a reason: an error that the API server did not expect.
func isBare(err error) bool {
	code, _ := answerOf(err)
	return code == http.StatusInternalServerError && apierrors.ReasonForError(err) == metav1.StatusReasonUnknown
}
