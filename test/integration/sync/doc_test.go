// Package sync_test binds APIs of two real providers on a real consumer: the reconciler of bindings and its syncers run in
// the test's process, and the tests play the Connection controller, the provider's operator and all users.
package sync_test
