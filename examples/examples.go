// Package examples holds the examples, so that plait dev and the tests run what the documents show.
package examples

import "embed"

// Files has a folder for each example: group.yaml, instance.yaml, and provider.yaml where a provider has a part.
//
//go:embed webapp platform provided-database/*.yaml
var Files embed.FS
