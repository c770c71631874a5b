package draw

import (
	"testing"

	"github.com/plait-run/plait/graph"
)

func BenchmarkSVG(b *testing.B) {
	for _, g := range []*graph.Graph{fleet(10), generated(30, 1), generated(500, 1), generated(2000, 1)} {
		b.Run(g.Name(), func(b *testing.B) {
			for b.Loop() {
				SVG(g)
			}
		})
	}
}
