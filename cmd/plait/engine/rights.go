package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authorization "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/cmd/plait/rbac"
	"github.com/plait-run/plait/graph"
)

// ownRights asks what the engine itself may do.
type ownRights struct {
	reviews    authorization.SelfSubjectAccessReviewInterface
	namespaces []string // that are watched; empty: all
}

func newOwnRights(config *rest.Config, namespaces []string) (*ownRights, error) {
	client, err := authorization.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making the client for the engine's own rights: %w", err)
	}
	return &ownRights{reviews: client.SelfSubjectAccessReviews(), namespaces: namespaces}, nil
}

// Missing gives what serving a graph takes and the engine may not do, `verb resource` each, and the role that gives it
// all rights for the graph.
func (r *ownRights) Missing(ctx context.Context, g *graph.Graph) (missing []string, role string, err error) {
	if all, err := r.may(ctx, authorizationv1.ResourceAttributes{Verb: "*", Group: "*", Resource: "*"}); all || err != nil {
		return nil, "", err
	}
	document := rbac.Documents(g)[0]
	needed, ok := document.Object.(*rbacv1.ClusterRole)
	if !ok {
		return nil, "", fmt.Errorf("the engine's role of %q is a %T", g.Name(), document.Object)
	}
	for _, asked := range attributesOf(needed.Rules) {
		allowed, err := r.may(ctx, asked)
		if err != nil {
			return nil, "", err
		}
		if !allowed {
			missing = append(missing, nameOf(asked))
		}
	}
	if len(missing) == 0 {
		return nil, "", nil
	}
	text, err := rbac.YAML([]rbac.Document{document})
	return missing, string(text), err
}

// may asks for the cluster, and if need be for each namespace that is watched.
func (r *ownRights) may(ctx context.Context, asked authorizationv1.ResourceAttributes) (bool, error) {
	for _, namespace := range append([]string{""}, r.namespaces...) {
		asked.Namespace = namespace
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &asked}}
		answer, err := r.reviews.Create(ctx, review, metav1.CreateOptions{})
		if err != nil {
			return false, fmt.Errorf("asking whether the engine may %s: %w", nameOf(asked), err)
		}
		switch allowed := answer.Status.Allowed; {
		case namespace == "" && (allowed || len(r.namespaces) == 0):
			return allowed, nil
		case namespace != "" && !allowed:
			return false, nil
		}
	}
	return true, nil
}

// attributesOf takes rules apart into single questions, in order.
func attributesOf(rules []rbacv1.PolicyRule) []authorizationv1.ResourceAttributes {
	var out []authorizationv1.ResourceAttributes
	for _, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				name, subresource, _ := strings.Cut(resource, "/")
				for _, verb := range rule.Verbs {
					out = append(out, authorizationv1.ResourceAttributes{Verb: verb, Group: group, Resource: name, Subresource: subresource})
				}
			}
		}
	}
	return slices.Clip(out)
}

func nameOf(asked authorizationv1.ResourceAttributes) string {
	resource := asked.Resource
	if asked.Group != "" {
		resource += "." + asked.Group
	}
	if asked.Subresource != "" {
		resource += "/" + asked.Subresource
	}
	return asked.Verb + " " + resource
}
