// Package diag is a problem in what a user wrote: a code, a place, one line of summary, detail and cure.
//
// Every stage that reads a document reports here; the commands and the ResourceGroup's status print what
// comes out. It promises a stable order and no duplicates, and never prints, logs or stops anything itself.
package diag

import (
	"fmt"
	"slices"
	"strings"
)

// Severity says whether a document with this problem can be served.
type Severity int

const (
	// Error keeps the document from being served.
	Error Severity = iota
	// Warning is told, and the document is served.
	Warning
)

// String is "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Position is a place in a file. Line and Column count from 1; zero means that there is no file.
type Position struct {
	Line   int
	Column int
}

// Diagnostic is one problem with its place.
type Diagnostic struct {
	File       string // as given on the command line; empty for an object of the cluster
	Path       string // spec.resources[2].template.spec.replicas, data["app.conf"]
	Position   Position
	Code       Code
	Severity   Severity
	Summary    string // one line, no full stop
	Detail     string // may be empty
	Suggestion string // what to write instead; may be empty
}

// String is `file:line:column: severity CODE path: summary`, with detail and suggestion on lines of their own.
func (d Diagnostic) String() string {
	var b strings.Builder
	if d.File != "" {
		fmt.Fprintf(&b, "%s:", d.File)
	}
	if d.Position.Line > 0 {
		fmt.Fprintf(&b, "%d:%d:", d.Position.Line, d.Position.Column)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "%s %s", d.Severity, d.Code)
	if d.Path != "" {
		b.WriteString(" " + d.Path)
	}
	b.WriteString(": " + d.Summary)
	for _, line := range []string{d.Detail, d.Suggestion} {
		if line != "" {
			b.WriteString("\n    " + strings.ReplaceAll(line, "\n", "\n    "))
		}
	}
	return b.String()
}

// Limit is how many diagnostics of one document are shown; the rest is a count.
const Limit = 50

// List gathers the problems of one document. The zero value is ready to use. Not safe for concurrent use.
type List struct {
	all []Diagnostic
}

// Add takes one problem.
func (l *List) Add(d Diagnostic) { l.all = append(l.all, d) }

// Append takes all problems of another list.
func (l *List) Append(other List) { l.all = append(l.all, other.all...) }

// HasErrors tells whether a problem keeps the document from being served.
func (l *List) HasErrors() bool {
	return slices.ContainsFunc(l.all, func(d Diagnostic) bool { return d.Severity == Error })
}

// Len is the number of problems as they were added, duplicates included.
func (l *List) Len() int { return len(l.all) }

// Sorted gives the problems by position, then path, code and text, each one once.
func (l *List) Sorted() []Diagnostic {
	out := slices.Clone(l.all)
	slices.SortStableFunc(out, compare)
	type problem struct {
		file, path string
		code       Code
		summary    string
	}
	seen := make(map[problem]bool, len(out))
	return slices.DeleteFunc(out, func(d Diagnostic) bool {
		p := problem{d.File, d.Path, d.Code, d.Summary}
		again := seen[p]
		seen[p] = true
		return again
	})
}

// Capped gives at most Limit problems of Sorted, and how many more there are.
func (l *List) Capped() (shown []Diagnostic, more int) {
	all := l.Sorted()
	if len(all) <= Limit {
		return all, 0
	}
	return all[:Limit], len(all) - Limit
}

func compare(a, b Diagnostic) int {
	if c := strings.Compare(a.File, b.File); c != 0 {
		return c
	}
	if c := a.Position.Line - b.Position.Line; c != 0 {
		return c
	}
	if c := a.Position.Column - b.Position.Column; c != 0 {
		return c
	}
	if c := strings.Compare(a.Path, b.Path); c != 0 {
		return c
	}
	if c := strings.Compare(string(a.Code), string(b.Code)); c != 0 {
		return c
	}
	return strings.Compare(a.Summary, b.Summary)
}
