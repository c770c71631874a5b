// Package mounts_test holds Workspaces against a real API server: Plait's own and those of kcp, whose API is here a
// CustomResourceDefinition of the same shape.
package mounts_test
