package differ

import (
	"fmt"
	"io"
	"strings"

	"github.com/plait-run/plait/cmd/plait/term"
)

// signs are how an action is shown.
var signs = map[Action]struct {
	sign   string
	colour term.Colour
	words  string
}{
	Create:  {"+", term.Green, ""},
	Update:  {"~", term.Yellow, ""},
	Replace: {"±", term.Red, "is deleted and made anew"},
	Delete:  {"-", term.Red, "is deleted"},
	Release: {"-", term.Yellow, "is let go of, and stays"},
	Fail:    {"!", term.Red, ""},
}

// Text writes a report for people.
func Text(out io.Writer, screen term.Screen, r Report) error {
	w := &writer{screen: screen}
	w.api(r.API)
	w.instances(r)
	_, err := io.WriteString(out, w.text.String())
	return err
}

type writer struct {
	screen term.Screen
	text   strings.Builder
}

// line writes a line, broken where the screen ends; a first line is not indented further than its text.
func (w *writer) line(indent int, colour term.Colour, text string) {
	width := 0
	if w.screen.Width > 0 {
		width = max(20, w.screen.Width-indent)
	}
	for i, part := range term.Wrap(term.Clean(text), width) {
		if i > 0 {
			indent += 2
			width -= 2
		}
		w.text.WriteString(strings.Repeat(" ", indent) + w.screen.Paint(colour, part) + "\n")
		if i > 0 {
			indent -= 2
		}
	}
}

func (w *writer) api(a API) {
	w.line(0, term.Bold, fmt.Sprintf("API %s (%s): %s", a.Name, a.Kind, map[APIState]string{
		APINew: "new", APIUnchanged: "unchanged", APIChanged: "changes",
	}[a.State]))
	for _, c := range a.Changes {
		if c.Breaking {
			w.line(2, term.Red, "! "+c.Path+": "+c.What+" (breaking)")
		} else {
			w.line(2, term.Plain, "~ "+c.Path+": "+c.What)
		}
	}
}

func (w *writer) instances(r Report) {
	changed := 0
	for _, i := range r.Instances {
		if i.IsChanged() {
			changed++
		}
	}
	w.text.WriteString("\n")
	switch {
	case r.Total == 0:
		w.line(0, term.Bold, "There are no instances.")
	case changed == 0:
		w.line(0, term.Bold, fmt.Sprintf("%s: nothing changes", count(len(r.Instances), "instance")))
	default:
		w.line(0, term.Bold, fmt.Sprintf("%s, %d of which %s", count(len(r.Instances), "instance"), changed, map[bool]string{true: "changes", false: "change"}[changed == 1]))
	}
	for _, i := range r.Instances {
		if i.IsChanged() || len(i.Waiting) > 0 {
			w.instance(i)
		}
	}
	if r.Omitted > 0 {
		w.line(0, term.Plain, fmt.Sprintf("%d more were not looked at: see --instances", r.Omitted))
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (w *writer) instance(i Instance) {
	name := i.Name
	if i.Namespace != "" {
		name = i.Namespace + "/" + name
	}
	head := name + ", tried as " + i.As
	if i.Note != "" {
		head += " (" + i.Note + ")"
	}
	w.line(0, term.Plain, head)
	for _, text := range i.Invalid {
		w.line(2, term.Red, "! "+text)
	}
	for _, o := range i.Objects {
		w.object(o)
	}
	if len(i.Waiting) > 0 {
		w.line(2, term.Faint, "nothing can be told of what waits: "+strings.Join(i.Waiting, ", "))
	}
}

func (w *writer) object(o Object) {
	sign := signs[o.Action]
	text := sign.sign + " " + o.Node
	if o.Kind != "" {
		text += "  " + o.Kind + " " + o.Name
	}
	if sign.words != "" {
		text += " " + sign.words
	}
	if o.Message != "" {
		text += ": " + o.Message
	}
	w.line(2, sign.colour, text)
	for _, f := range o.Fields {
		w.line(6, term.Plain, f.String())
	}
	if o.Omitted > 0 {
		w.line(6, term.Faint, fmt.Sprintf("and %d fields more", o.Omitted))
	}
}

// String is `path: old → new`.
func (f Field) String() string {
	switch {
	case f.Old == "":
		return f.Path + ": + " + f.New
	case f.New == "":
		return f.Path + ": - " + f.Old
	default:
		return f.Path + ": " + f.Old + " → " + f.New
	}
}
