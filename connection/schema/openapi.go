package schema

import (
	"context"
)

// FromOpenAPI gives the exports that discovery and OpenAPI documents tell of, sorted. All or nothing, as
// FromDefinitions.
func (c *Catalog) FromOpenAPI(context.Context, Filter) ([]Export, error) { return nil, nil }
