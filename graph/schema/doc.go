// Package schema tells what is known of Kubernetes kinds: their schemas, scope, resource names and types.
//
// The compiler asks a Resolver for every kind that a document names. Resolvers are made of the built-in kinds
// of Kubernetes that are compiled in (Embedded), of CustomResourceDefinitions (FromCRDs), of an OpenAPI v3
// document of a live API server (FromOpenAPI), and of several of them in turn (Chain). Check holds a literal
// tree of values against a schema.
//
// It promises that every schema stands alone (no $ref is left, recursive parts are cut to schema-less ones) and
// that the same document gives the same kinds. It never talks to a cluster, and never changes what it gave out.
package schema
