// Package identity_test holds the engine, as a user with no more rights than the documents ask for, against real RBAC.
package identity_test
