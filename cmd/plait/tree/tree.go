// Package tree draws what package inspect gathered, and what package explain made of it, as lines for people.
//
// On a terminal the lines fit its width: a message that has no room beside its object stands below it, broken between words.
// Elsewhere each thing is one line. All texts that come from a cluster are cleaned.
package tree

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/progress"
	"github.com/plait-run/plait/cmd/plait/term"
)

// Drawer draws for one screen at one time.
type Drawer struct {
	Screen term.Screen
	Now    time.Time
	NoAges bool
}

// row is one thing before it is laid out.
type row struct {
	subject string // stable
	branch  string // before the title: │  └─
	below   string // before what stands under it
	title   string
	state   string
	age     string
	message string
	health  inspect.Health
}

// Tree draws an item and everything below it.
func (d Drawer) Tree(it *inspect.Item) []progress.Line {
	var rows []row
	d.collect(&rows, it, d.rowOf(it, "", 0))
	titles, states := 0, 0
	for _, r := range rows {
		titles = max(titles, cells(r.branch)+cells(r.title))
		states = max(states, cells(r.state))
	}
	var out []progress.Line
	for _, r := range rows {
		out = append(out, d.lines(r, titles, states)...)
	}
	return out
}

func cells(text string) int { return len([]rune(text)) }

// collect adds a row, its notes, and the rows below it.
func (d Drawer) collect(rows *[]row, it *inspect.Item, r row) {
	*rows = append(*rows, r)
	parts := len(it.Items) + btoi(it.Omitted > 0)
	if parts > 0 {
		(*rows)[len(*rows)-1].below = r.below + "│  "
	} else {
		(*rows)[len(*rows)-1].below = r.below + "   "
	}
	width := idWidth(it.Items)
	for i, part := range it.Items {
		next := d.rowOf(part, r.subject, width)
		next.branch, next.below = r.below+"├─ ", r.below+"│  "
		if i == parts-1 {
			next.branch, next.below = r.below+"└─ ", r.below+"   "
		}
		d.collect(rows, part, next)
	}
	if it.Omitted > 0 {
		*rows = append(*rows, row{subject: r.subject + "/…", branch: r.below + "└─ ", below: r.below + "   ", title: fmt.Sprintf("and %d more", it.Omitted)})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// maxIDWidth is how far ids push the objects beside them.
const maxIDWidth = 20

// idWidth is that of a column with the ids of nodes.
func idWidth(items []*inspect.Item) int {
	width := 0
	for _, it := range items {
		if n := cells(term.Clean(it.ID)); isNode(it) && n <= maxIDWidth {
			width = max(width, n)
		}
	}
	return width
}

func isNode(it *inspect.Item) bool {
	return it.Relation == inspect.Node || it.Relation == inspect.Leftover
}

func (d Drawer) rowOf(it *inspect.Item, above string, width int) row {
	message := it.Message
	if tellsItself(it) {
		message = ""
	}
	if len(it.Notes) > 0 {
		notes := "(" + strings.Join(it.Notes, "; ") + ")"
		message = strings.TrimSpace(message + " " + notes)
	}
	age := term.Age(d.Now, it.Since)
	if d.NoAges {
		age = ""
	}
	return row{
		subject: above + "/" + it.ID + "/" + it.Title(), title: titleOf(it, width), state: term.Clean(it.State),
		age: age, message: term.Clean(sentences(message)), health: it.Health,
	}
}

// tellsItself is true of an instance whose nodes say what its own message sums up.
func tellsItself(it *inspect.Item) bool {
	return it.Class == inspect.ClassInstance && slices.ContainsFunc(it.Items, func(n *inspect.Item) bool {
		return isNode(n) && n.Health != inspect.Good && n.Health != inspect.Off && n.Message != ""
	})
}

// titleOf says what an item is to the one above, and which object it is.
func titleOf(it *inspect.Item, width int) string {
	title := term.Clean(it.Title())
	if isNode(it) {
		return strings.TrimSpace(fmt.Sprintf("%-*s  %s", width, term.Clean(it.ID), term.Clean(objectOf(it))))
	}
	if words, ok := relations[it.Relation]; ok {
		return words + " " + title
	}
	return title
}

// relations are the words for what an item is to the one above.
var relations = map[inspect.Relation]string{
	inspect.Copy:       "copy at the provider:",
	inspect.Mount:      "mounted from",
	inspect.Group:      "served by",
	inspect.Connection: "through",
	inspect.Binding:    "bound by",
}

// objectOf leaves the namespace of a child out: most are in that of their instance.
func objectOf(it *inspect.Item) string {
	if it.Kind == "" {
		return ""
	}
	return it.Kind + " " + it.Name
}

const (
	ageWidth   = 5
	leastRoom  = 20 // that a line of a message has, however narrow the screen
	besideRoom = 50 // that a message of several lines needs to stand beside its object
	columnGap  = "  "
	belowShift = "  "
)

// lines lays a row out. With a width a message that does not fit beside it goes below.
func (d Drawer) lines(r row, titles, states int) []progress.Line {
	title := r.branch + d.Screen.Paint(titleColour(r), r.title)
	pad := strings.Repeat(" ", titles-cells(r.branch)-cells(r.title))
	state := d.Screen.Paint(colourOf(r.health), r.state) + strings.Repeat(" ", states-cells(r.state))
	line := title + pad + columnGap + state + columnGap + fmt.Sprintf("%-*s", ageWidth, r.age)
	used := titles + states + ageWidth + 2*len(columnGap)
	if d.Screen.Width == 0 || r.message == "" || used+len(columnGap)+cells(r.message) <= d.Screen.Width {
		return []progress.Line{{Subject: r.subject, Text: trim(line + columnGap + r.message)}}
	}
	out := []progress.Line{{Subject: r.subject, Text: trim(line)}}
	if room := d.Screen.Width - used - len(columnGap); room >= besideRoom {
		return append(out[:0], d.beside(r, line, used, room)...)
	}
	for i, text := range term.Wrap(r.message, max(leastRoom, d.Screen.Width-cells(r.below)-len(belowShift))) {
		out = append(out, progress.Line{Subject: fmt.Sprintf("%s/message %d", r.subject, i), Text: trim(r.below + belowShift + text)})
	}
	return out
}

// beside puts a message of several lines in a column of its own.
func (d Drawer) beside(r row, line string, used, room int) []progress.Line {
	var out []progress.Line
	for i, text := range term.Wrap(r.message, room) {
		start := line
		if i > 0 {
			start = r.below + strings.Repeat(" ", used-cells(r.below))
		}
		out = append(out, progress.Line{Subject: fmt.Sprintf("%s/message %d", r.subject, i), Text: trim(start + columnGap + text)})
	}
	return out
}

func trim(line string) string { return strings.TrimRight(line, " ") }

func titleColour(r row) term.Colour {
	if r.branch == "" {
		return term.Bold
	}
	if r.health == inspect.Off {
		return term.Faint
	}
	return term.Plain
}

func colourOf(h inspect.Health) term.Colour {
	switch h {
	case inspect.Good:
		return term.Green
	case inspect.Busy:
		return term.Yellow
	case inspect.Bad:
		return term.Red
	case inspect.Off, inspect.Unknown:
		return term.Faint
	}
	return term.Plain
}
