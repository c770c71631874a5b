// Package term has what every text for a terminal needs: colours where they are wanted, lines that fit, and nothing in them
// that could move a cursor.
package term

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// Colour is how a piece of text looks.
type Colour string

// The colours, as every terminal has them, dark or light.
const (
	Plain  Colour = ""
	Green  Colour = "32"
	Yellow Colour = "33"
	Red    Colour = "31"
	Faint  Colour = "2"
	Bold   Colour = "1"
)

// Screen is where a text goes.
type Screen struct {
	Width   int // in cells; 0: no terminal, so that lines are as long as they are
	Height  int // in lines; 0 with no terminal
	Colours bool
}

// ScreenOf looks at an output. Colours are for terminals only, unless NO_COLOR is set or TERM is dumb.
func ScreenOf(out io.Writer, lookup func(string) (string, bool)) Screen {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return Screen{}
	}
	width, height, err := term.GetSize(int(file.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		width, height = 80, 24
	}
	return Screen{Width: width, Height: height, Colours: wantsColours(lookup)}
}

func wantsColours(lookup func(string) (string, bool)) bool {
	if no, ok := lookup("NO_COLOR"); ok && no != "" {
		return false
	}
	kind, _ := lookup("TERM")
	return kind != "dumb"
}

// Paint gives a text a colour, if the screen has colours.
func (s Screen) Paint(c Colour, text string) string {
	if !s.Colours || c == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// Clean makes a text that somebody else wrote one line without anything that Safe replaces.
func Clean(text string) string { return Safe(strings.Join(strings.Fields(text), " ")) }

// Safe replaces what could move a cursor, turn the direction of writing or end a line.
func Safe(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// Wrap breaks a clean text into lines of at most that many characters, between words where it can. A width of 0 leaves one
// line.
func Wrap(text string, width int) []string {
	if width <= 0 || len([]rune(text)) <= width {
		return []string{text}
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		for _, piece := range pieces(word, width) {
			if line != "" && len([]rune(line))+1+len([]rune(piece)) > width {
				lines, line = append(lines, line), ""
			}
			if line != "" {
				line += " "
			}
			line += piece
		}
	}
	return append(lines, line)
}

// pieces cuts a word that is longer than a line.
func pieces(word string, width int) []string {
	var out []string
	runes := []rune(word)
	for len(runes) > width {
		out, runes = append(out, string(runes[:width])), runes[width:]
	}
	return append(out, string(runes))
}

// Cut shortens a line to that many cells. Colours take no room, and a line that is cut ends without any.
func Cut(line string, width int) string {
	room, inEscape, hasEscape := width, false, false
	for i, r := range line {
		switch {
		case inEscape:
			inEscape = r != 'm'
		case r == '\x1b':
			inEscape, hasEscape = true, true
		case room == 1 && plainLength(line[i:]) > 1:
			if hasEscape {
				return line[:i] + "…\x1b[0m"
			}
			return line[:i] + "…"
		default:
			room--
		}
	}
	return line
}

// plainLength counts the cells of a line without its colours.
func plainLength(line string) int {
	n, inEscape := 0, false
	for _, r := range line {
		switch {
		case inEscape:
			inEscape = r != 'm'
		case r == '\x1b':
			inEscape = true
		default:
			n++
		}
	}
	return n
}
