package draw

import (
	"fmt"
	"testing"
)

func BenchmarkSVG(b *testing.B) {
	for _, n := range []int{30, 500, 2000} {
		g := generated(n, 1)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				SVG(g)
			}
		})
	}
}
