// Package expr is the expression language of Plait: CEL inside ${ }, embedded so that it is typed, structural, and
// total about values that are not there yet.
//
// Scan cuts a string into literal text and expressions. An Environment holds the variables in scope and compiles
// scanned text to a Program, or tells every Problem of it. A Program is checked once and evaluated many times; an
// evaluation is a function of its variables, its cost is bounded, and a value that is missing is a result, never an
// error text. Types are compared by their structure, so that the same shape in two kinds is one type.
//
// The compiler (graph/compile) builds environments and programs, the runtime evaluates them. This is the only package
// that imports cel-go; no type of cel-go is visible outside. It does no I/O, reads no clock, and starts no goroutine.
package expr
