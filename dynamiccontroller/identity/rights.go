package identity

import (
	"context"
	"fmt"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"
	"k8s.io/utils/clock"
)

const (
	rightsTime = 60 * time.Second // how long an answer about a right is kept
	existsTime = 10 * time.Second // how long it is believed that an account exists; that it does not is not kept
)

// Request is something that an identity might do. Comparable.
type Request struct {
	Verb        string // get, list, create, patch, delete
	Resource    schema.GroupVersionResource
	Subresource string
	Namespace   string // empty: cluster-scoped, or all namespaces
	Name        string // empty: any
}

func (r Request) attributes() *authorizationv1.ResourceAttributes {
	return &authorizationv1.ResourceAttributes{
		Verb:        r.Verb,
		Group:       r.Resource.Group,
		Version:     r.Resource.Version,
		Resource:    r.Resource.Resource,
		Subresource: r.Subresource,
		Namespace:   r.Namespace,
		Name:        r.Name,
	}
}

// Rights answers what identities may do, and whether they exist. Answers are kept for a while; it asks only when it is
// asked. Safe for concurrent use; equal questions at a time are asked once.
type Rights struct {
	clients  *Clients
	metadata metadata.Interface
	reviews  *answers[question, verdict]
	accounts *answers[Identity, bool]
	subjects *subjects
}

type question struct {
	Identity
	Request
}

type verdict struct {
	allowed bool
	reason  string
}

// NewRights makes Rights that ask with the given clients.
func NewRights(clients *Clients) (*Rights, error) { return newRights(clients, clock.RealClock{}) }

func newRights(clients *Clients, now clock.PassiveClock) (*Rights, error) {
	client, err := metadata.NewForConfigAndClient(metadata.ConfigFor(clients.config), clients.self())
	if err != nil {
		return nil, fmt.Errorf("making the client for service accounts: %w", err)
	}
	subjects, err := newSubjects(clients, now)
	if err != nil {
		return nil, err
	}
	return &Rights{
		clients:  clients,
		subjects: subjects,
		metadata: client,
		reviews:  newAnswers[question, verdict](rightsTime, now),
		accounts: newAnswers[Identity, bool](existsTime, now),
	}, nil
}

// May tells whether an identity may do it; if not, the authorizer's words, if it had any. The engine itself may do what
// it was given, which is not asked. An error means that it cannot be told now.
func (r *Rights) May(ctx context.Context, id Identity, req Request) (allowed bool, reason string, err error) {
	if id.Self {
		return true, "", nil
	}
	v, err := r.reviews.get(question{id, req}, func() (verdict, error) { return r.review(ctx, id, req) })
	if err != nil {
		return false, "", fmt.Errorf("asking whether %q may %s %s: %w", id, req.Verb, req.Resource.GroupResource(), err)
	}
	return v.allowed, v.reason, nil
}

// Forget drops what is known of an identity, for instance after a 403.
func (r *Rights) Forget(id Identity) {
	r.reviews.drop(func(q question) bool { return q.Identity == id })
	r.accounts.drop(func(i Identity) bool { return i == id })
}

func (r *Rights) review(ctx context.Context, id Identity, req Request) (verdict, error) {
	client, err := r.clients.For(id)
	if err != nil {
		return verdict{}, err
	}
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: req.attributes(),
	}}
	got, err := client.reviews.Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return verdict{}, err
	}
	return verdict{allowed: got.Status.Allowed, reason: got.Status.Reason}, nil
}

// ServiceAccounts is the resource of the accounts.
var ServiceAccounts = schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}

// Exists tells whether the account of an identity exists, by the engine's own right; the engine itself does. An error
// means that it cannot be told now, a missing right of the engine included.
func (r *Rights) Exists(ctx context.Context, id Identity) (bool, error) {
	if id.Self {
		return true, nil
	}
	exists, err := r.accounts.get(id, func() (bool, error) {
		_, err := r.metadata.Resource(ServiceAccounts).Namespace(id.Namespace).Get(ctx, id.Name, metav1.GetOptions{})
		return err == nil, err
	})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking for service account %q: %w", id, err)
	}
	return exists, nil
}
