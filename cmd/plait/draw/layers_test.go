package draw

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// columnsOfNodes gives the nodes of each column; a bend is -1.
func columnsOfNodes(p *part) [][]int {
	var out [][]int
	for _, column := range p.columns {
		var nodes []int
		for _, v := range column {
			nodes = append(nodes, p.vertices[v].node)
		}
		out = append(out, nodes)
	}
	return out
}

func TestColumns(t *testing.T) {
	var fan []link
	for i := range 11 {
		fan = append(fan, link{from: 0, to: i + 1})
	}
	tests := []struct {
		name  string
		links []link
		want  [][]int
	}{
		{"a chain", []link{{from: 0, to: 1}, {from: 1, to: 2}}, [][]int{{0}, {1}, {2}}},
		{"against the order of the document", []link{{from: 2, to: 0}}, [][]int{{2}, {0}}},
		{"a long edge bends", []link{{from: 0, to: 1}, {from: 1, to: 2}, {from: 0, to: 2}}, [][]int{{0}, {1, -1}, {2}}},
		{
			"long edges of a card share their bends",
			[]link{{from: 0, to: 1}, {from: 1, to: 2}, {from: 2, to: 3}, {from: 0, to: 2}, {from: 0, to: 3}},
			[][]int{{0}, {1, -1}, {2, -1}, {3}},
		},
		{
			"a source comes close to what needs it",
			[]link{{from: 0, to: 1}, {from: 1, to: 2}, {from: 3, to: 2}},
			[][]int{{0}, {1, 3}, {2}},
		},
		{"a full column goes on in the next one", fan, [][]int{{0}, {1, 2, 3, 4, 5, 6, 7, 8, 9, -1}, {10, 11}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := newPart(components(20, test.links)[0])
			if diff := cmp.Diff(test.want, columnsOfNodes(p)); diff != "" {
				t.Errorf("columns (-want +got):\n%s", diff)
			}
		})
	}
}

func TestComponents(t *testing.T) {
	links := []link{{from: 3, to: 5}, {from: 4, to: 0}, {from: 5, to: 1}}
	want := [][]int{{1, 3, 5}, {0, 4}, {2}}
	var got [][]int
	for _, c := range components(6, links) {
		got = append(got, c.nodes)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
}
