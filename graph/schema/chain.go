package schema

import "k8s.io/apimachinery/pkg/runtime/schema"

// Chain asks one resolver after another; the first that knows the kind answers. An error of one ends the search,
// since a later resolver might answer with another schema for the same kind.
func Chain(resolvers ...Resolver) Resolver { return chain(resolvers) }

type chain []Resolver

func (c chain) Resolve(gvk schema.GroupVersionKind) (*Kind, bool, error) {
	for _, r := range c {
		k, ok, err := r.Resolve(gvk)
		if ok || err != nil {
			return k, ok, err
		}
	}
	return nil, false, nil
}
