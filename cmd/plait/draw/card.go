package draw

import (
	"strings"

	"github.com/plait-run/plait/cmd/plait/term"
	"github.com/plait-run/plait/graph"
)

// card is a node in the words that people see. All its texts are clean.
type card struct {
	id    string
	what  string   // the kind of the objects, or what a def is
	api   string   // v1, apps/v1; empty for a def
	notes []string // for each zone, conditional, …
	kind  graph.NodeKind

	stacked     bool // stands for several objects
	conditional bool
	absent      bool // the kind is not installed

	mark Mark // of a node of an instance
}

func newCard(n *graph.Node) card {
	c := card{id: clean(n.ID), kind: n.Kind, stacked: n.IsCollection(), conditional: len(n.IncludeWhen) > 0}
	if n.Kind == graph.Def {
		c.what = "computed value"
	} else {
		c.what, c.api = clean(n.GVK.Kind), clean(n.GVK.GroupVersion().String())
		c.absent = !n.Installed
	}
	if n.Kind == graph.External || n.Kind == graph.ExternalList {
		c.notes = append(c.notes, n.Kind.String())
	}
	if len(n.ForEach) > 0 {
		var names []string
		for _, it := range n.ForEach {
			names = append(names, clean(it.Name))
		}
		c.notes = append(c.notes, "for each "+strings.Join(names, ", "))
	}
	if c.conditional {
		c.notes = append(c.notes, "conditional")
	}
	if c.absent {
		c.notes = append(c.notes, "not installed")
	}
	return c
}

// small is the last line of a card, of at most that many characters. Of what is too long the API goes first.
func (c card) small(most int) string {
	notes := strings.Join(c.notes, " · ")
	if c.api == "" {
		return shorten(notes, most)
	}
	all := strings.Join(append([]string{c.api}, c.notes...), " · ")
	if len(c.notes) > 0 && len([]rune(all)) > most {
		return shorten(notes, most)
	}
	return shortenAPI(all, most)
}

// shortenAPI cuts the group of an API, and leaves the version whole.
func shortenAPI(api string, most int) string {
	group, version, _ := strings.Cut(api, "/")
	const least = 4 // letters of the group that still tell something
	room := most - len([]rune("…/"+version))
	if len([]rune(api)) <= most || version == "" || room < least {
		return shorten(api, most)
	}
	return string([]rune(group)[:room]) + "…/" + version
}

// served is the kind that a graph serves: WebApp in apps.plait.run/v1alpha1.
func served(g *graph.Graph) (kind, api string) {
	return clean(g.Kind().Kind), clean(g.Kind().GroupVersion().String())
}

// clean replaces what could move a cursor, turn the direction of writing or end a line.
func clean(text string) string { return term.Safe(text) }

// shorten cuts the middle out of a text that is longer than that many characters.
func shorten(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	if most < 3 {
		return "…"
	}
	tail := (most - 1) / 3
	return string(runes[:most-1-tail]) + "…" + string(runes[len(runes)-tail:])
}
