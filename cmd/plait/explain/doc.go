// Package explain decides why an object is not ready: the first causes in order, and what to do about each.
//
// It is a function of what package inspect gathered: no cluster, no clock. A cause is what stands at the beginning of a
// chain: a node that waits for another one of the same instance is none, and an instance inside of an instance, a Connection
// behind a copy or an object behind a Workspace is asked for its own causes. What to do comes from a table by reason
// (cures.go), never from the text of a message.
package explain
