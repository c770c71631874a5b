package progress

import (
	"fmt"
	"io"

	"github.com/plait-run/plait/cmd/plait/term"
)

// Printer shows a tree that changes. Not safe for concurrent use.
type Printer struct {
	out     io.Writer
	inPlace bool // a terminal: the tree is drawn over the last one
	width   int  // of the terminal in cells; longer lines are cut, so that a line stays one
	drawn   int  // lines of the last tree that stand on the terminal
	told    map[string]string
	stamp   func() string
}

// NewPrinter prints to out; width is that of the terminal, 0 when out is none. The stamp stands before every line
// that is not drawn in place.
func NewPrinter(out io.Writer, width int, stamp func() string) *Printer {
	return &Printer{out: out, inPlace: width > 0, width: width, told: map[string]string{}, stamp: stamp}
}

// Say prints a line that stays.
func (p *Printer) Say(format string, args ...any) {
	p.drawn = 0
	fmt.Fprintf(p.out, format+"\n", args...)
}

// Show shows a tree: in place, or what changed since the last one.
func (p *Printer) Show(lines []Line) {
	if p.inPlace {
		p.draw(lines)
		return
	}
	for _, line := range lines {
		if p.told[line.Subject] == line.Text {
			continue
		}
		p.told[line.Subject] = line.Text
		fmt.Fprintf(p.out, "%s %s\n", p.stamp(), line.Text)
	}
}

func (p *Printer) draw(lines []Line) {
	if p.drawn > 0 {
		fmt.Fprintf(p.out, "\x1b[%dA", p.drawn)
	}
	for _, line := range lines {
		fmt.Fprintf(p.out, "\x1b[2K%s\n", term.Cut(line.Text, p.width))
	}
	for range max(0, p.drawn-len(lines)) {
		fmt.Fprint(p.out, "\x1b[2K\n")
	}
	p.drawn = max(p.drawn, len(lines))
}
