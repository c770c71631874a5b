// Package step is the one loop that every reconciler of the engine runs: an ordered list of named steps over a
// state of its own type.
//
// A reconciler makes a new state for each pass and hands it with its list to Run. A step reads and changes the
// state, and says whether the next one follows. The loop knows no client and no kind; it never retries, and it
// never goes on after an error. Reconciled says it to a controller.
package step
