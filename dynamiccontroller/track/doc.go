// Package track knows who watches what: which instances want which children and externals, which instance a
// changed object belongs to, and which lists have to be watched for all of that.
//
// package watch asks it; nobody else needs to. It is pure: it holds keys, never objects, starts nothing and does no
// I/O. An Index is not safe for concurrent use; its user locks. Every answer is sorted or a set, so that equal
// wishes give equal answers.
package track
