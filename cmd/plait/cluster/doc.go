// Package cluster runs Kubernetes control planes on this machine, from the
// binaries that `make controlplane` builds.
//
// `plait dev`, the integration tests and the bench call it. A cluster is an
// etcd and an API server; on request a controller-manager; and on request a
// scheduler and kwok, which plays one node and the containers of all pods, so
// that rollouts, jobs and endpoints behave as in a real cluster though nothing
// runs.
//
// Start returns when everything answers its health probe. What it promises:
// all addresses are loopback addresses and free ports; any number of clusters
// live side by side in one process; RBAC is enforced; everything that a cluster
// keeps is in one folder, and a second Start on that folder continues it at the
// same API server port where that is still free; Stop returns when no process
// is left. On Linux the kernel ends the processes when the caller dies without
// calling Stop, of whatever cause.
//
// It never handles signals, never reads the user's kubeconfig, and writes
// nothing outside its folder.
package cluster
