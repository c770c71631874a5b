package differ

import (
	"context"
	"fmt"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	authorization "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/graph"
)

// Accounts are the Actors of a real cluster: the service accounts that a group names, as far as the user may impersonate
// them. Not safe for concurrent use.
type Accounts struct {
	config  *rest.Config
	reviews authorization.SelfSubjectAccessReviewInterface
	self    apply.API
	known   map[identity.Identity]actor
}

type actor struct {
	api      apply.API
	as, note string
}

// yourself is who dry runs are made as where no service account can be.
const yourself = "yourself"

// NewAccounts makes the actors for the user of a configuration.
func NewAccounts(config *rest.Config) (*Accounts, error) {
	client, err := authorization.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	self, err := apiOf(config)
	if err != nil {
		return nil, err
	}
	return &Accounts{config: config, reviews: client.SelfSubjectAccessReviews(), self: self, known: map[identity.Identity]actor{}}, nil
}

func apiOf(config *rest.Config) (apply.API, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return apply.NewAPI(client, nil), nil // nothing is deleted
}

// For is part of Actors.
func (a *Accounts) For(ctx context.Context, g *graph.Graph, namespace string) (api apply.API, as, note string, err error) {
	id, refusal := identity.Choose(g.Policies().DefaultServiceAccounts, identity.Settings{}, namespace)
	if refusal != nil {
		return a.self, yourself, refusal.Message, nil
	}
	known, ok := a.known[id]
	if !ok {
		if known, err = a.make(ctx, id); err != nil {
			return nil, "", "", err
		}
		a.known[id] = known
	}
	return known.api, known.as, known.note, nil
}

func (a *Accounts) make(ctx context.Context, id identity.Identity) (actor, error) {
	review, err := a.reviews.Create(ctx, &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Verb: "impersonate", Resource: "serviceaccounts", Namespace: id.Namespace, Name: id.Name,
		},
	}}, metav1.CreateOptions{})
	if err != nil {
		return actor{}, fmt.Errorf("asking whether you may impersonate service account %q: %w", id, err)
	}
	if !review.Status.Allowed {
		return actor{a.self, yourself, fmt.Sprintf("you may not impersonate service account %s", id)}, nil
	}
	config := rest.CopyConfig(a.config)
	config.Impersonate = rest.ImpersonationConfig{UserName: id.Username()}
	api, err := apiOf(config)
	if err != nil {
		return actor{}, err
	}
	return actor{api: api, as: "service account " + id.String()}, nil
}
