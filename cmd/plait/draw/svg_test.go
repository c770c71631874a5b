package draw

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph"
)

func TestLegendTellsWhatIsThere(t *testing.T) {
	tests := []struct {
		name string
		g    *graph.Graph
		want []string
	}{
		{"templates", sketch("g", "a Secret v1", "b Secret v1 < a"), []string{"applied", "needs it to be ready"}},
		{"a def and a list", sketch("g", "a def", "b Secret v1 list < ~a"), []string{
			"external, only read", "computed value", "collection", "uses it, never waits",
		}},
		{"all", small(), []string{
			"applied", "external, only read", "computed value", "collection", "conditional",
			"needs it to be ready", "uses it, never waits", "only comes later",
		}},
	}
	text := regexp.MustCompile(`<text[^>]*>([^<]*)</text></g>`)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for line := range strings.SplitSeq(SVG(test.g), "\n") {
				if strings.Contains(line, `class="legend`) {
					for _, match := range text.FindAllStringSubmatch(line, -1) {
						got = append(got, match[1])
					}
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("legend (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCardsShowWhatTheyAre(t *testing.T) {
	picture := SVG(small())
	tests := []struct {
		id        string
		outlines  int
		dashed    bool
		inOutline string // how the outline begins or what only it has
	}{
		{"config", 1, false, "A9 9"},
		{"web", 3, false, "A9 9"},
		{"ingress", 1, true, "A9 9"},
		{"labels", 1, false, "A31 31"},
		{"zones", 1, false, "L"},
		{"peers", 3, false, "L"},
	}
	for _, test := range tests {
		t.Run(test.id, func(t *testing.T) {
			card := regexp.MustCompile(`<g class="card .*<title>` + test.id + `&#xA;.*</g>`).FindString(picture)
			if got := strings.Count(card, `class="outline"`); got != test.outlines {
				t.Errorf("%d cards, want %d", got, test.outlines)
			}
			if got := strings.Contains(card, "conditional\" transform"); got != test.dashed {
				t.Errorf("dashed is %t, want %t", got, test.dashed)
			}
			if !strings.Contains(card, test.inOutline) {
				t.Errorf("no %q in %s", test.inOutline, card)
			}
		})
	}
}

func TestEachEdgeHasItsLook(t *testing.T) {
	picture := SVG(small())
	for class, want := range map[string]int{"hard": 10, "soft": 2, "order": 1} {
		if got := strings.Count(picture, `<g class="edge `+class+" h"); got != want {
			t.Errorf("%d edges are %s, want %d", got, class, want)
		}
	}
}
