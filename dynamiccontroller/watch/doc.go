// Package watch drives informers to the set of objects that instances want to read.
package watch
