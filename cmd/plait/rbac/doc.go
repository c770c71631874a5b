// Package rbac works out who must be allowed what for a compiled group: the engine, the service account that writes
// the children, and the users of the new kind.
//
// The command `plait rbac` calls it. It is a function of the graph alone, and gives the same documents each time. It
// never grants anything: a person reads and applies what it prints.
package rbac
