// Package instance_test holds ResourceGroups and their instances against a real API server: the whole engine in this
// process, from document to children and back. The server's binaries are found by package cluster.
package instance_test
