// Package template makes plain values of trees with expressions: objects, status blocks, computed values.
//
// runtime calls it for every object, def, external reference and status block. It promises that what comes
// out shares no map or list with what went in, that absent values are left out, that every value fits the
// type of its field, and that all missing values and faults of a tree come at once. It never evaluates
// anything itself: the caller brings the values of the expressions.
package template
