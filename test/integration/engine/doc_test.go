// Package engine_test holds the layers of the dynamic controller against a real API server: kinds that come and go,
// caches, events, discovery, and acting as service accounts. The server's binaries are found by package cluster.
package engine_test
