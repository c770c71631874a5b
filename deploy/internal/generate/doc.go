// Command generate writes the parts of the chart that something else says already: the values that are flags of the engine
// and their schema, Plait's own definitions, the admission policies, and the engine's roles, which
// docs/service-accounts.md explains.
//
// `make generate` runs it, and `make verify` runs it with -check. The kustomization is made of the chart afterwards, by
// Helm itself.
package main
