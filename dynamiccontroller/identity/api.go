package identity

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// CONTRACT (skeleton; replaced by the implementation).

// Client acts as one identity.
type Client struct {
	Identity Identity
	Dynamic  dynamic.Interface
}

// Clients gives cached clients that share transport and limits.
type Clients struct{}

// For gives the client of an identity.
func (c *Clients) For(id Identity) (*Client, error) { panic("skeleton") }

// Request is something that an identity might do.
type Request struct {
	Verb        string // get, list, create, patch, delete
	Resource    schema.GroupVersionResource
	Subresource string
	Namespace   string
	Name        string
}

// Rights answers what identities may do, by access reviews, cached for a minute.
type Rights struct{}

// May tells whether an identity may do it; if not, the authorizer's words, if it had any.
func (r *Rights) May(ctx context.Context, id Identity, req Request) (allowed bool, reason string, err error) {
	panic("skeleton")
}

// Exists tells whether the service account of an identity exists; the answer is kept for some seconds.
func (r *Rights) Exists(ctx context.Context, id Identity) (bool, error) { panic("skeleton") }
