// Command faults breaks single requests of the engine, and the engine itself, and looks whether all is well afterwards.
//
// The engine is a process of its own, and talks to a real API server through a proxy that records every request and can
// break any: answer something else, lose the answer of a write that took effect, cut the connection, hold a request
// until the engine is killed, starve or cut watches, serve an old list.
//
// A second API server, behind a proxy of its own, is a provider: workloads with a Connection, a Binding and objects of an
// imported kind write to both, and any of these writes can be a point. Another one has Workspaces on mount objects.
//
// A sweep takes a workload through its stages - create, update, scale, exclude, delete - many times at once. Each copy
// has a namespace and names of its own, and in each stage one point: the n-th write that the clean run makes there,
// and the way in which it is broken. Copies that crash hold their write, half of them just before it takes effect and
// half just after it, until all of them are there: one SIGKILL then is the crash of every copy at its own point.
//
// After each stage a copy must be what the clean run is (objects without uid, versions, times and our hashes;
// managedFields by manager), counted by the names of all objects; no write may have taken effect more than three
// times; nothing may be written that the clean run does not write; and the engine must be silent for a second.
//
// Read rig.go and proxy.go first, then sweep.go, stage.go and judge.go. `make faults` takes every point, writes that
// hang among them; the tests take all of the chain and a rotating sixteenth of the others (-seed). They also break what a
// sweep does not: watches, lists after a start, the API server, the lease, groups, definitions and namespaces.
package main
