package source

import (
	"fmt"
	"strings"
	"testing"
)

// manyNodes is a group of n ConfigMaps.
func manyNodes(n int) []byte {
	var b strings.Builder
	b.WriteString(head + plainSchema + "  resources:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - id: n%d\n    template:\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: \"n%d\"}\n      data:\n        a: ${schema.spec.a}\n        b: \"7\"\n", i, i)
	}
	return []byte(b.String())
}

func BenchmarkParseAndMap(b *testing.B) {
	for _, n := range []int{500, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			data := manyNodes(n)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				docs, _ := Parse("", data)
				if g, problems := MapGroup(docs[0]); len(g.Nodes) != n || problems.Len() > 0 {
					b.Fatal(len(g.Nodes), problems.Sorted())
				}
			}
		})
	}
}
