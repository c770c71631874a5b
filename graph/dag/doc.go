// Package dag orders nodes that need each other: topological order, layers and cycles.
//
// The compiler uses it for the nodes of a group and for named types. Nodes are the indices 0 … n-1, so that
// the order of the document decides wherever the edges do not. It is pure, near linear in nodes and edges,
// and gives the same result for the same edges in whatever order. It is the only importer of gonum.
package dag
