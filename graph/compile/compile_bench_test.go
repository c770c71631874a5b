package compile

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

// BenchmarkCompile is a chain of a hundred ConfigMaps, from the mapped group to the graph.
func BenchmarkCompile(b *testing.B) {
	var resources strings.Builder
	for i := range 100 {
		value := "first"
		if i > 0 {
			value = fmt.Sprintf("${n%d.data.value}", i-1)
		}
		fmt.Fprintf(&resources, "- id: n%d\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: \"${schema.metadata.name}-%d\"}, data: {value: %q}}\n", i, i, value)
	}
	docs, _ := source.Parse("group.yaml", []byte(document(resources.String())))
	b.ReportAllocs()
	for b.Loop() {
		group, _ := source.MapGroup(docs[0])
		if g, problems, err := Compile(context.Background(), group, schema.Embedded()); g == nil || err != nil {
			b.Fatalf("the group does not compile: %v %v", problems.Sorted(), err)
		}
	}
}
