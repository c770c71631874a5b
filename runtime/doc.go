// Package runtime evaluates one instance of a graph: what should be, what waits and why, what failed.
//
// The instance reconciler calls Evaluate with what it observed and carries out the plan; plait render calls
// Preview. Both are functions of their input: no client, no clock, no log (I6). A fault in one node is a state
// of that node and never stops another. What could not be read never makes an object unwanted (I10).
package runtime
