// Package compile makes a graph of a ResourceGroup: an ordered list of passes over one document.
//
// The ResourceGroup reconciler, the offline commands and the tests call Compile; it is the only way to a
// graph.Graph. It promises that all problems of a document come at once, each once and with its place, that
// the same document and the same kinds give the same graph and the same messages, and that it never panics on
// any document. It reads kinds through a resolver and does no other I/O.
//
// A pass reads what earlier passes found and adds to it; it never stops the list. What a pass could not make
// sense of is left out of the state, so that later passes do not report the same mistake again.
package compile
