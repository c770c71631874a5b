// Package schema finds the APIs that a provider exports and makes them definitions for this cluster.
//
// A Catalog asks one provider, by labelled CustomResourceDefinitions or by discovery and OpenAPI, and remembers what it
// was told, so that a round without news is cheap. Decide says what is to be done with one definition here. What a
// provider says is untrusted: only what a definition needs is carried over, and it is validated before anybody writes
// it. The package writes nothing.
package schema
