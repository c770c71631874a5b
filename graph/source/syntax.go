package source

import (
	"bytes"
	"regexp"
	"sort"

	"go.yaml.in/yaml/v3"

	"github.com/plait-run/plait/graph/diag"
)

// maxOpenLines is how long a list in brackets or a quoted text may be before it is taken for one that is never
// closed, when the place of an error is searched.
const maxOpenLines = 50

var syntaxForm = regexp.MustCompile(`^yaml: (?:line [0-9]+: )?`)

// reportSyntax reports an error of the YAML parser. The line in its text is often that of the map around the
// fault, so the place is searched.
func (b *builder) reportSyntax(data []byte, err error) {
	lines := bytes.SplitAfter(data, []byte("\n"))
	line := firstBadLine(lines)
	text := lines[line]
	cure := "Check indentation, quotes and brackets on this line and the one above."
	if indent := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]; bytes.ContainsRune(indent, '\t') {
		cure = "YAML takes no tab for indentation: use spaces."
	}
	b.report(diag.Syntax, "", diag.Position{
		Line:   line + b.lineOffset + 1,
		Column: len(text) - len(bytes.TrimLeft(text, " \t")) + 1,
	}, "this is no valid YAML: "+syntaxForm.ReplaceAllString(err.Error(), ""), cure)
}

// firstBadLine gives the index of the line after the longest beginning that can be read.
func firstBadLine(lines [][]byte) int {
	isReadable := func(n int) bool {
		var node yaml.Node
		return yaml.Unmarshal(bytes.Join(lines[:n], nil), &node) == nil
	}
	good := 0
	for good < len(lines)-1 {
		// the first beginning longer than good that cannot be read, as far as bisection tells
		bad := good + 1 + sort.Search(len(lines)-good-1, func(i int) bool { return !isReadable(good + 1 + i) })
		good = bad - 1
		next := good
		for n := bad + 1; n < min(len(lines), bad+maxOpenLines); n++ {
			if isReadable(n) {
				next = n // what was open is closed further down
				break
			}
		}
		if next == good {
			break
		}
		good = next
	}
	return min(good, len(lines)-1)
}
