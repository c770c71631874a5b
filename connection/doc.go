// Package connection keeps Connections: it verifies provider clusters, finds out which APIs they export, installs the
// schemas of those that are wanted, and keeps a Lease there as a heartbeat.
//
// The engine runs one Reconciler for all Connections, an ordered list of steps with a file each. It is the only writer of
// installed CustomResourceDefinitions and of the ClusterBinding of autoBind; bindings and their objects are synced by
// others, who get verified ways to providers from remote.Registry. It promises that nothing goes to a cluster that is not
// the pinned one, and that no data is deleted because a provider could not be asked.
package connection
