// Package wire makes clients for objects of any kind that read each answer and each event of a watch only once.
//
// Those of client-go look at the bytes of an object several times before they decode it: for its kind, for its being a
// list, and once more for each layer of a watch event. All that the engine spends on small objects is this reading.
// Clients of this package are client-go's own in everything else, errors included.
package wire
