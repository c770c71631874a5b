package compile

import (
	"fmt"
	"regexp"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

var (
	idPattern  = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)
	identifier = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`) // CEL's
)

// celWords are the words that CEL keeps for itself.
var celWords = setOf(
	"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop",
	"namespace", "null", "package", "return", "true", "var", "void", "while",
)

// reserved are the names of the language, which no node and no iterator may have either.
var reserved = setOf(
	"schema", "self", "each", "instance", "resources", "runtime", "status", "spec", "metadata", "apiVersion",
	"kind", "item", "items", "context", "variables",
)

func setOf(names ...string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, name := range names {
		out[name] = true
	}
	return out
}

// checkIDs finds the nodes that others may refer to, and the names of their iterators.
func checkIDs(s *state) {
	for _, n := range s.nodes {
		if n.src.ID == nil { // reported when the document was mapped
			continue
		}
		id := n.src.ID.Text()
		first, taken := s.byID[id]
		switch why := badName(id); {
		case why != "":
			s.report(diag.NodeID, n.src.ID, fmt.Sprintf("the id %q %s", id, why),
				"Start with a lower-case letter and use letters and digits: webApp.")
		case taken:
			s.report(diag.NodeID, n.src.ID, fmt.Sprintf("the id %q is taken by %s", id, first.src.Path), "Give each resource an id of its own.")
		default:
			s.byID[id] = n
			n.usable = hasOneBody(n.src)
		}
	}
	for _, n := range s.nodes {
		s.checkIterators(n)
	}
}

func hasOneBody(src *source.Node) bool {
	count := 0
	for _, body := range []*source.Value{src.Template, src.ExternalRef, src.Def} {
		if body != nil {
			count++
		}
	}
	return count == 1
}

func badName(name string) string {
	switch {
	case reserved[name] || celWords[name]:
		return "is reserved"
	case !idPattern.MatchString(name):
		return "is not a name that expressions can use"
	default:
		return ""
	}
}

func (s *state) checkIterators(n *node) {
	seen := map[string]bool{}
	for _, it := range n.src.ForEach {
		at := place{it.Value.Path, it.NamePosition}
		switch _, isID := s.byID[it.Name]; {
		case badName(it.Name) != "":
			s.reportAt(diag.NodeIterator, at, fmt.Sprintf("the iterator %q %s", it.Name, badName(it.Name)), "")
		case isID:
			s.reportAt(diag.NodeIterator, at, fmt.Sprintf("the iterator %q has the name of a resource", it.Name), "Rename the iterator.")
		case seen[it.Name]:
			s.reportAt(diag.NodeIterator, at, fmt.Sprintf("the iterator %q stands twice", it.Name), "Give each iterator a name of its own.")
		}
		seen[it.Name] = true
	}
	if len(n.src.ForEach) > 0 && n.src.ExternalRef != nil {
		s.reportAt(diag.NodeIterator, place{n.src.Path + ".forEach", n.src.ForEach[0].Value.Position},
			"an externalRef cannot have forEach", "Use metadata.selector to read several objects.")
	}
}
