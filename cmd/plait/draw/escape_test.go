package draw

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph"
)

// hostile has texts that try to get out of every format.
func hostile() *graph.Graph {
	evil := []string{
		`"];evil[label="x`, `</text></svg><script>evil()</script>`, "a\nevil -> b", `\`, "\x1b[31mevil", "\u202eevil", `"]; click n_a "javascript:evil()"`,
		"`evil`", "%%{init: {}}%%", "#quot;", "]]>&amp;<!--", "end", "", "\xff\xfe", strings.Repeat("long", 100), "{{evil}}",
	}
	spec := graph.Spec{Name: strings.Join(evil, ""), Kind: schema.GroupVersionKind{Group: evil[1], Version: evil[0], Kind: evil[2]}}
	for i, text := range evil {
		n := &graph.Node{ID: text, Index: i, GVK: schema.GroupVersionKind{Group: text, Version: text, Kind: text}}
		n.ForEach = []*graph.Iterator{{Name: text}}
		if i > 0 {
			n.Needs = []graph.Need{{ID: evil[i-1], Kind: graph.NeedKind(i % 3), Path: text}}
		}
		spec.Nodes = append(spec.Nodes, n)
	}
	sorted := sortNodes(spec.Nodes)
	spec.Order, spec.Layers = sorted.Order, sorted.Layers
	return graph.New(spec)
}

func TestSVGKeepsTextsInside(t *testing.T) {
	allowed := map[string]bool{"svg": true, "style": true, "title": true, "rect": true, "text": true, "g": true, "path": true}
	for name, g := range map[string]*graph.Graph{"hostile": hostile(), "platform": platform()} {
		decoder := xml.NewDecoder(strings.NewReader(SVG(g)))
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch token := token.(type) {
			case xml.StartElement:
				if !allowed[token.Name.Local] {
					t.Errorf("%s: element %q", name, token.Name.Local)
				}
				for _, a := range token.Attr {
					if strings.Contains(a.Value, "evil") || strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Name.Local, "href") {
						t.Errorf("%s: attribute %s=%q", name, a.Name.Local, a.Value)
					}
				}
			case xml.Comment, xml.Directive, xml.ProcInst:
				t.Errorf("%s: %T", name, token)
			}
		}
	}
}

// Nothing is loaded: the only address is the name of the format.
func TestSVGStandsAlone(t *testing.T) {
	text := strings.Replace(SVG(platform()), `xmlns="http://www.w3.org/2000/svg"`, "", 1)
	for _, unwanted := range []string{"http", "url(", "@import", "@font-face", "href"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("the picture has %q", unwanted)
		}
	}
}

// Every line of the two languages has the one form that we write, whatever the texts are.
func TestLinesKeepTheirForm(t *testing.T) {
	quoted := `"(?:[^"\\]|\\.)*"`
	tests := []struct {
		name, text string
		line       *regexp.Regexp
	}{
		{"dot", DOT(hostile()), regexp.MustCompile(`^(digraph ` + quoted + ` \{|  label=` + quoted + `; labelloc=t; rankdir=LR;|  node \[shape=box, fontname="sans-serif"\];` +
			`|  ` + quoted + ` \[label=` + quoted + `(, [a-z]+=[a-z0-9]+)*\];|  ` + quoted + ` -> ` + quoted + `( \[style=[a-z]+\])?;|\})$`)},
		{"mermaid", Mermaid(hostile()), regexp.MustCompile(`^(flowchart LR|  accTitle: [^"<>]*|  n_\w*(\[|\[\[|\(\[|\{\{)"(<br/>|[^"<>` + "`" + `\\])*"(\]|\]\]|\]\)|\}\})|  n_\w* (-->|-\.->|-\. order \.->) n_\w*)$`)},
	}
	for _, test := range tests {
		for line := range strings.SplitSeq(strings.TrimSuffix(test.text, "\n"), "\n") {
			if !test.line.MatchString(line) {
				t.Errorf("%s has the line %q", test.name, line)
			}
		}
	}
}

func TestTextKeepsTerminalsSafe(t *testing.T) {
	text := Text(hostile())
	if strings.ContainsAny(text, "\x1b\u202e") {
		t.Errorf("characters that act on a terminal are left in %q", text)
	}
	if got, want := strings.Count(text, "\n  "), len(hostile().Nodes()); got != want {
		t.Errorf("%d lines of nodes, want %d", got, want)
	}
}

func TestMermaidNames(t *testing.T) {
	seen := map[string]string{}
	for _, id := range []string{"a", "A", "end", "a_b", "a__b", "a_5f_b", "a-b", "", "é", "1"} {
		name := mermaidName(id)
		if other, taken := seen[name]; taken {
			t.Errorf("%q and %q are both %s", id, other, name)
		}
		seen[name] = id
	}
}

func TestShorten(t *testing.T) {
	tests := []struct {
		text string
		most int
		want string
	}{
		{"short", 5, "short"},
		{"frontendMigration", 10, "fronte…ion"},
		{"frontendMigration", 9, "fronte…on"},
		{"größer", 4, "gr…r"},
		{"abc", 1, "…"},
	}
	for _, test := range tests {
		if got := shorten(test.text, test.most); got != test.want {
			t.Errorf("shorten(%q, %d) is %q, want %q", test.text, test.most, got, test.want)
		}
	}
}

func TestShortenAPI(t *testing.T) {
	for text, want := range map[string]string{
		"v1": "v1", "apps/v1": "apps/v1", "rbac.authorization.k8s.io/v1": "rbac.authoriz…/v1", "apps.plait.run/v1alpha1": "apps.pl…/v1alpha1",
		"example.com/v1alpha1betagamma": "example.com…gamma",
	} {
		if got := shortenAPI(text, 17); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
