// Package tutorial_test does what docs/tutorial.md tells its reader to do, and holds what the reader sees to what the page
// shows.
package tutorial_test
