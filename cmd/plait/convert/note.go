package convert

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Topic says what a note is about.
type Topic string

// The topics of notes.
const (
	TopicAPI             Topic = "api"              // the kind that the group serves
	TopicDeletion        Topic = "deletion"         // what happens when things go
	TopicExpression      Topic = "expression"       // an expression that had to change, or gives another value
	TopicField           Topic = "field"            // a field without counterpart
	TopicMark            Topic = "mark"             // labels and annotations that the engines use
	TopicName            Topic = "name"             // something that had to be renamed
	TopicSchema          Topic = "schema"           // types and markers
	TopicServiceAccounts Topic = "service-accounts" // who writes the children
	TopicStatus          Topic = "status"           // projections
)

// Note tells of one thing that behaves differently, or that had to change.
type Note struct {
	File     string `json:"file"`
	Line     int    `json:"line"`   // in the file that was read; 0 when it is about the whole document
	Column   int    `json:"column"` // as Line
	Document string `json:"document"`
	Path     string `json:"path"` // in the document that was read; empty when it is about all of it
	Topic    Topic  `json:"topic"`
	Text     string `json:"text"` // whole sentences
}

// String is `file:line:column: path: text`, as far as they are known.
func (n Note) String() string {
	var b strings.Builder
	b.WriteString(n.File + ":")
	if n.Line > 0 {
		fmt.Fprintf(&b, "%d:%d:", n.Line, n.Column)
	}
	b.WriteString(" note: ")
	if n.Path != "" {
		b.WriteString(n.Path + ": ")
	}
	return b.String() + n.Text
}

// note adds a note about a node; nil stands for the whole document.
func (c *conversion) note(topic Topic, path string, at *yaml.Node, text string) {
	n := Note{File: c.file, Document: c.name, Path: path, Topic: topic, Text: text}
	if at != nil {
		n.Line, n.Column = at.Line, at.Column
	}
	c.notes = append(c.notes, n)
}

// lineLength is how long the lines of the comment above a document are.
const lineLength = 100

// comment is the notes as a block of comment.
func comment(name string, notes []Note) string {
	lines := []string{fmt.Sprintf("# Converted from kro's definition %q. What to know:", name)}
	for _, n := range notes {
		prefix := ""
		if n.Path != "" {
			prefix = n.Path + ": "
		}
		lines = append(lines, wrapped(prefix+n.Text)...)
	}
	return strings.Join(lines, "\n")
}

// wrapped makes a bullet of a comment.
func wrapped(text string) []string {
	var lines []string
	line := "# *"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > lineLength {
			lines, line = append(lines, line), "#  "
		}
		line += " " + word
	}
	return append(lines, line)
}
