// Package contract reads and writes Workspaces and the objects that implement them.
//
// It knows two APIs, Plait's own and kcp's, and two forms of a mount: spec.mount, and kcp's older annotation with JSON. The
// controller reads with Read and ReadMount, decides, and gives what is wanted to StatusPatch and MainPatch, which answer
// nothing where nothing differs.
//
// It promises that no input makes it fail or panic: a Workspace that cannot be understood has a Fault, which is shown to its
// owner. It does no I/O and never changes what it reads.
package contract
