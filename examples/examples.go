// Package examples holds the examples, so that plait dev and the tests run what the documents show.
package examples

import "embed"

// Files has a folder for each example: group.yaml, instance.yaml.
//
//go:embed webapp platform
var Files embed.FS
