// Package resourcegroup turns ResourceGroups into served APIs.
//
// A controller-runtime manager runs it (SetupWithManager). For each ResourceGroup it compiles the document, keeps a
// numbered revision of what is accepted, makes the generated CustomResourceDefinition what the graph says, publishes
// the graph in the Hub and registers the kind with the dynamic controller. A pass is an ordered list of steps, one
// file each: load, claim, compile, revise, define, serve, delete, status.
//
// It promises that the last good revision keeps serving whatever becomes of newer ones, that a definition of
// somebody else is never overwritten, that a breaking change is refused before anything of it is served, and that
// a group with instances is not let go. It never reads or writes children.
package resourcegroup
