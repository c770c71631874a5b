package identity

import (
	"context"
	"encoding/json"
	"fmt"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authorization "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/utils/clock"
)

// Subject is any user, as an object records one.
type Subject struct {
	Username string
	UID      string
	Groups   []string
	Extra    map[string][]string
}

// subjects asks, as the engine, what others may do.
type subjects struct {
	client  authorization.SubjectAccessReviewInterface
	answers *answers[subjectQuestion, verdict]
}

type subjectQuestion struct {
	subject string // in JSON, which is comparable
	Request
}

func newSubjects(clients *Clients, now clock.PassiveClock) (*subjects, error) {
	client, err := authorization.NewForConfigAndClient(clients.config, clients.self())
	if err != nil {
		return nil, fmt.Errorf("making the client for access reviews: %w", err)
	}
	return &subjects{client: client.SubjectAccessReviews(), answers: newAnswers[subjectQuestion, verdict](rightsTime, now)}, nil
}

// SubjectMay tells whether a user may do it; if not, the authorizer's words, if it had any. It takes the engine's right to
// create subjectaccessreviews. An error means that it cannot be told now.
func (r *Rights) SubjectMay(ctx context.Context, s Subject, req Request) (allowed bool, reason string, err error) {
	key, err := json.Marshal(s)
	if err != nil {
		return false, "", fmt.Errorf("reading user %q: %w", s.Username, err)
	}
	v, err := r.subjects.answers.get(subjectQuestion{string(key), req}, func() (verdict, error) {
		return r.subjects.review(ctx, s, req)
	})
	if err != nil {
		return false, "", fmt.Errorf("asking whether %q may %s %s: %w", s.Username, req.Verb, req.Resource.GroupResource(), err)
	}
	return v.allowed, v.reason, nil
}

// ForgetSubject drops what is known of a user.
func (r *Rights) ForgetSubject(s Subject) {
	key, err := json.Marshal(s)
	if err != nil {
		return
	}
	r.subjects.answers.drop(func(q subjectQuestion) bool { return q.subject == string(key) })
}

func (s *subjects) review(ctx context.Context, who Subject, req Request) (verdict, error) {
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: who.Username, UID: who.UID, Groups: who.Groups, ResourceAttributes: req.attributes(),
	}}
	for key, values := range who.Extra {
		if review.Spec.Extra == nil {
			review.Spec.Extra = map[string]authorizationv1.ExtraValue{}
		}
		review.Spec.Extra[key] = values
	}
	answer, err := s.client.Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return verdict{}, err
	}
	return verdict{allowed: answer.Status.Allowed, reason: answer.Status.Reason}, nil
}
