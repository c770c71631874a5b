// Package policy makes the admission policies that ask who may name a service account in a ResourceGroup or a Workspace.
//
// The engine installs it, and a chart can ship it. It is a pure function of what the engine requires, and gives the same
// objects each time. The API server carries it out; the policies concern only the spec, so that the engine's own
// writes of finalizers and status pass.
package policy
