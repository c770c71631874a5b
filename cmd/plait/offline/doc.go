// Package offline does what needs no cluster: it reads files, compiles the groups in them, and renders instances.
//
// The commands validate, render, graph and crd call it, and so do the language cases: what they see is what a
// user sees. It uses the compiler and the evaluator of the engine; a preview cannot disagree with the cluster.
package offline
