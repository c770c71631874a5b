// Package inspect gathers what hangs on one object of a cluster, as a tree that is a plain value.
//
// The commands tree and explain and the console call Gather. It reads through a Reader, with the rights of whoever asks:
// what may not be read is left out and said in a note, never an error of the whole. An instance gives its nodes with their
// children, a child that is an instance itself its own nodes, an object of a bound API its copy at the provider, and a
// Workspace the object that it is mounted from. Deciding what is wrong (package explain) and printing (package tree) happen
// elsewhere.
//
// It never writes, and never reads a Secret's content into an Item.
package inspect
