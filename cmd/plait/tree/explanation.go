package tree

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/plait-run/plait/cmd/plait/explain"
	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/term"
)

// Explanation writes why an object is not ready.
func (d Drawer) Explanation(out io.Writer, e explain.Explanation) error {
	w := &writer{drawer: d}
	w.headline(e)
	for i, c := range e.Causes {
		w.text.WriteString("\n")
		w.cause(i+1, c)
	}
	if len(e.Waiting) > 0 {
		w.text.WriteString("\n")
		w.paragraph("", "", "These nodes only wait for it: "+strings.Join(e.Waiting, ", "))
	}
	for _, note := range e.Notes {
		w.paragraph("", "", "("+note+")")
	}
	_, err := io.WriteString(out, w.text.String())
	return err
}

type writer struct {
	drawer Drawer
	text   strings.Builder
}

func (w *writer) headline(e explain.Explanation) {
	screen := w.drawer.Screen
	line := screen.Paint(term.Bold, term.Clean(e.Subject)) + " is " + screen.Paint(colourOf(e.Health), term.Clean(e.State))
	if e.Reason != "" && e.Health != inspect.Good {
		line += " (" + term.Clean(e.Reason) + ")"
	}
	line += w.lasting(e.Since)
	if len(e.Causes) == 0 {
		line += ": nothing is wrong"
	}
	w.text.WriteString(line + "\n")
}

func (w *writer) lasting(since *time.Time) string {
	age := term.Age(w.drawer.Now, since)
	if age == "" {
		return ""
	}
	return ", for " + age
}

func (w *writer) cause(n int, c explain.Cause) {
	screen := w.drawer.Screen
	state := ""
	if c.State != "" {
		state = ": " + screen.Paint(colourOf(c.Health), term.Clean(c.State)) + w.lasting(c.Since)
	}
	fmt.Fprintf(&w.text, "%d. %s%s\n", n, screen.Paint(term.Bold, term.Clean(c.Subject)), state)
	problem := sentences(c.Problem)
	if c.Reason != "" {
		problem = c.Reason + ": " + problem
	}
	w.paragraph("   ", "   ", problem)
	for _, detail := range c.Details {
		w.paragraph("   - ", "     ", detail)
	}
	if c.Next != "" {
		w.paragraph("   Next: ", "         ", c.Next)
	}
	if c.Command != "" {
		// A command stays one line, so that it can be copied.
		w.text.WriteString("   More: " + screen.Paint(term.Faint, term.Clean(c.Command)) + "\n")
	}
}

// sentences makes one paragraph of a message of several lines: what one line says ends with a mark.
func sentences(message string) string {
	lines := strings.FieldsFunc(message, func(r rune) bool { return r == '\n' })
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if i < len(lines)-1 && line != "" && !strings.ContainsAny(line[len(line)-1:], ".:;,!?") {
			line += "."
		}
		lines[i] = line
	}
	return strings.Join(lines, " ")
}

// paragraph writes a text with something before its first line, and before the others.
func (w *writer) paragraph(first, others, text string) {
	width := 0
	if w.drawer.Screen.Width > 0 {
		width = max(leastRoom, w.drawer.Screen.Width-cells(first))
	}
	before := first
	for _, line := range term.Wrap(term.Clean(text), width) {
		w.text.WriteString(before + line + "\n")
		before = others
	}
}
