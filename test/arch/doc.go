// Package arch holds the tests that keep the shape of the source tree: who may import
// what, which packages are the only door to a library, what may not be called where, and
// what folders are called.
//
// The rules are data (rules_test.go), each with its reason; a failure names the file, what
// it does, and that reason. Only direct imports count, and only those of this module: a
// nested module is somebody else's tree.
//
// It promises that a rule can fail: every one is broken on purpose in a small fake tree.
package arch
