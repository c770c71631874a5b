package compile

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

// shapes write groups of n nodes. Their names say who needs whom.
var shapes = map[string]func(n int) string{
	"wide": func(n int) string {
		return nodes(n, func(i int) string { return configOf(i, "${schema.spec.name}") })
	},
	"chain": func(n int) string {
		return nodes(n, func(i int) string { return configOf(i, need(i-1)) })
	},
	"ready": func(n int) string {
		return nodes(n, func(i int) string {
			return configOf(i, need(i-1)) + "  readyWhen: ['${self.data.a != \"\"}']\n  includeWhen: ['${schema.spec.name != \"\"}']\n"
		})
	},
	"loops": func(n int) string {
		return nodes(n, func(i int) string {
			return configOf(i, fmt.Sprintf("${zone}-%d", i)) + "  forEach: [{zone: '${schema.spec.zones}'}]\n"
		})
	},
	"defs": func(n int) string {
		return nodes(n, func(i int) string {
			value := "'${schema.spec.name}'"
			if i > 0 {
				value = fmt.Sprintf("'${n%d.v}-'", i-1)
			}
			return fmt.Sprintf("- id: n%d\n  def: {v: %s}\n", i, value)
		})
	},
	"several": func(n int) string {
		return nodes(n, func(i int) string {
			return fmt.Sprintf(`- id: n%d
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: "${schema.metadata.name}-%d", labels: {app: "${schema.metadata.name}", tier: "${schema.spec.name + '-x'}"}}
    spec:
      replicas: ${schema.spec.size + %d}
      selector: {matchLabels: {app: "${schema.metadata.name}"}}
      template:
        metadata: {labels: {app: "${schema.metadata.name}"}}
        spec: {containers: [{name: main, image: "${schema.spec.image}:%d", env: [{name: BEFORE, value: "%s"}]}]}
`, i, i, i, i, strings.ReplaceAll(need(i-1), ".data.a", ".metadata.name"))
		})
	},
}

// nodes writes a group of n nodes.
func nodes(n int, node func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(node(i))
	}
	return document(b.String(), "spec: {name: string | required, image: string | required, size: integer | default=1, zones: '[]string | required'}")
}

// need is an expression that reads a node, or the instance for the first.
func need(i int) string {
	if i < 0 {
		return "${schema.spec.name}"
	}
	return fmt.Sprintf("${n%d.data.a}", i)
}

func configOf(i int, value string) string {
	return fmt.Sprintf("- id: n%d\n  template:\n    apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: n%d}\n    data: {a: \"%s\"}\n", i, i, value)
}

// diamond is layers of nodes that each need the whole layer before.
func diamond(width, depth int) string {
	return nodes(width*depth, func(i int) string {
		var value strings.Builder
		for j := range width {
			value.WriteString(need(i - i%width - width + j))
		}
		return configOf(i, value.String())
	})
}

func mapped(t testing.TB, text string) *source.Group {
	t.Helper()
	docs, problems := source.Parse("", []byte(text))
	if problems.HasErrors() || len(docs) != 1 {
		t.Fatal(problems.Sorted())
	}
	group, problems := source.MapGroup(docs[0])
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	return group
}

func compileWell(t testing.TB, group *source.Group) {
	t.Helper()
	g, problems, err := Compile(context.Background(), group, schema.Embedded())
	if err != nil || g == nil {
		t.Fatal(err, problems.Sorted())
	}
}

func BenchmarkCompile(b *testing.B) {
	run := func(name, text string) {
		group := mapped(b, text)
		compileWell(b, group) // the embedded schemas are decoded once
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				compileWell(b, group)
			}
		})
	}
	for _, shape := range []string{"wide", "chain", "ready", "loops", "defs", "several"} {
		for _, n := range []int{10, 100, 500, 2000} {
			run(fmt.Sprintf("%s/%d", shape, n), shapes[shape](n))
		}
	}
	run("diamond/20x20", diamond(20, 20))
}

// TestCompilingIsNearLinear compares what 500 and 2,000 nodes allocate, which no load of the machine changes.
func TestCompilingIsNearLinear(t *testing.T) {
	const factor, most = 4, 6.0
	compileWell(t, mapped(t, shapes["several"](1))) // the embedded schemas are decoded once
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			small, large := allocated(t, shape(500)), allocated(t, shape(500*factor))
			if ratio := float64(large) / float64(small); ratio > most {
				t.Errorf("%d times the nodes take %.1f times the memory (%d and %d bytes)", factor, ratio, small, large)
			}
		})
	}
}

// allocated is how many bytes one compilation allocates, whatever was freed since.
func allocated(t *testing.T, text string) uint64 {
	t.Helper()
	group := mapped(t, text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	compileWell(t, group)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
