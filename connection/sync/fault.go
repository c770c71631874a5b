package sync

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	stringsutil "k8s.io/utils/strings"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/sync/mirror"
)

// maxWords is how much of the provider's own words a message carries, in bytes.
const maxWords = 600

// refusal is an answer of the provider that trying again does not change by itself.
type refusal struct {
	problem mirror.Problem
	cause   error // nil: it was not the provider that refused
}

func (r *refusal) Error() string { return r.problem.Message }
func (r *refusal) Unwrap() error { return r.cause }

// failed tells the user of an object why it is not copied, where that is known. The error makes the queue try again.
func (s *syncer) failed(ctx context.Context, p *pass, err error) error {
	r := s.refusalOf(ctx, p, err)
	if r == nil || p.obj == nil {
		return err
	}
	return errors.Join(err, s.say(ctx, p, r.problem))
}

// refusalOf is nil for what passes by itself.
func (s *syncer) refusalOf(ctx context.Context, p *pass, err error) *refusal {
	var known *refusal
	if errors.As(err, &known) {
		return known
	}
	var local *localError
	if errors.As(err, &local) {
		return nil
	}
	code, words := answerOf(err)
	switch {
	case code == http.StatusUnauthorized:
		s.denied("the provider does not accept the credentials")
		return nil
	case code == http.StatusForbidden && apierrors.HasStatusCause(err, "NamespaceTerminating"):
		return nil
	case code == http.StatusForbidden:
		return s.forbidden(ctx, p, err, words)
	case isRefusing(code), s.misfits(ctx, p, err):
		return &refusal{mirror.Problem{Reason: v1alpha1.ReasonInvalidObject, Message: "the provider refuses it: " + words}, err}
	default:
		return nil
	}
}

// isRefusing tells the codes by which a server refuses what it was given, and not that it was asked just now.
func isRefusing(code int32) bool {
	switch code {
	case http.StatusNotFound, http.StatusConflict, http.StatusRequestTimeout, http.StatusGone, http.StatusTooManyRequests:
		return false
	default:
		return code >= http.StatusBadRequest && code < http.StatusInternalServerError
	}
}

// forbidden tells a right that is missing from a quota, policy or webhook that refused.
func (s *syncer) forbidden(ctx context.Context, p *pass, err error, words string) *refusal {
	namespace := s.placeOf(p.key).Namespace
	for _, verb := range []string{"get", "create", "patch", "delete"} {
		allowed, err := s.reviews.may(ctx, verb, s.task.Resource.GroupResource(), namespace)
		if err != nil {
			return nil
		}
		if allowed {
			continue
		}
		text := fmt.Sprintf("the credentials of Connection %q may not %s %s%s at the provider", s.task.Connection, verb, s.task.API, inNamespace(namespace))
		s.denied(text)
		return &refusal{mirror.Problem{Reason: v1alpha1.ReasonForbidden, Message: text}, err}
	}
	return &refusal{mirror.Problem{Reason: v1alpha1.ReasonAdmissionDenied, Message: "the provider refuses it: " + words}, err}
}

func (s *syncer) denied(text string) {
	if s.ledger.deny(text) {
		s.tell()
	}
}

func inNamespace(namespace string) string {
	if namespace == "" {
		return ""
	}
	return " in namespace " + namespace
}

// answerOf gives code and words of an API server's answer; zero when it did not answer.
func answerOf(err error) (code int32, words string) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return 0, ""
	}
	words = strings.Join(strings.Fields(status.Status().Message), " ")
	return status.Status().Code, strings.ToValidUTF8(stringsutil.ShortenString(words, maxWords), "")
}

// isReplaced tells whether another object has the name by now.
func isReplaced(err error) bool {
	var status apierrors.APIStatus
	if !apierrors.IsInvalid(err) || !errors.As(err, &status) || status.Status().Details == nil {
		return false
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Field == "metadata.uid" {
			return true
		}
	}
	return false
}

func isMissingNamespace(err error) bool {
	var status apierrors.APIStatus
	if !apierrors.IsNotFound(err) || !errors.As(err, &status) {
		return false
	}
	details := status.Status().Details
	return details != nil && details.Kind == "namespaces"
}

// isRefused tells whether err is an answer of the API server, and not a failure on the way.
func isRefused(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && status.Status().Reason != metav1.StatusReasonTimeout
}
