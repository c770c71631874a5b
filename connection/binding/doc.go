// Package binding reconciles ClusterBindings and Bindings, by one code path: it decides which of their APIs may be synced,
// has a sync.Supervisor do that, and tells on them how it goes.
//
// The engine runs one Reconciler for both kinds, an ordered list of steps with a file each. It reads what the Connection
// controller has found and installed, and never installs anything itself. It promises that an API is recorded in the
// status before its first object gets a finalizer, and that a binding goes, or lets an API go, only when every object has
// been let go: with Retain the provider is not even asked.
package binding
