package tutorial_test

import (
	"regexp"
	"strings"
)

// step is one thing that the page has its reader do.
type step struct {
	save, content        string // a file to save
	replace, with, where string // a text to replace in a file
	command              string
	shows                []string // parts of what the command shows, in order
}

var (
	part     = regexp.MustCompile("(?s)```(yaml|console)\n(.*?)```|<!-- tutorial: replace (\\S+) (\\S+) in (\\S+) -->")
	fileName = regexp.MustCompile("`([a-z]+\\.yaml)`")
)

// stepsOf reads a page. A YAML block is saved under the name that the text before it gave last.
func stepsOf(page string) []step {
	var out []step
	end := 0
	for _, at := range part.FindAllStringSubmatchIndex(page, -1) {
		text := func(group int) string {
			if at[2*group] < 0 {
				return ""
			}
			return page[at[2*group]:at[2*group+1]]
		}
		switch text(1) {
		case "yaml":
			names := fileName.FindAllStringSubmatch(page[end:at[0]], -1)
			if len(names) > 0 {
				out = append(out, step{save: names[len(names)-1][1], content: text(2)})
			}
		case "console":
			out = append(out, commandsOf(text(2))...)
		default:
			out = append(out, step{replace: text(3), with: text(4), where: text(5)})
		}
		end = at[1]
	}
	return out
}

func commandsOf(block string) []step {
	var out []step
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			out = append(out, step{command: command})
		} else if line != "" && len(out) > 0 {
			out[len(out)-1].shows = append(out[len(out)-1].shows, line)
		}
	}
	return out
}
