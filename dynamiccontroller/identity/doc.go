// Package identity tells who acts for an instance, and gives that identity's client and rights.
//
// The instance reconciler asks Choose who acts, Clients for a client that acts as it, and Rights what it may read.
// It promises that an engine never acts with an account that nobody named for the instance's namespace, and that
// only the header Impersonate-User is sent. It never writes RBAC and never reads tokens.
package identity
