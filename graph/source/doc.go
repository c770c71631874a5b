// Package source reads YAML and JSON documents into values that know their place.
//
// The compiler, the reconciler and the commands all read through it, so that a problem has the same path
// everywhere and a line and column where there is a file. Scalars get the types that kubectl would give
// them. It promises every problem at once, a bound on what aliases expand to, and values that never change.
// It reads no files, knows no schema but the ResourceGroup's own, and evaluates nothing.
package source
