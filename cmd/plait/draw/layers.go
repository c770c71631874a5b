package draw

import (
	"math"
	"slices"

	"github.com/plait-run/plait/graph"
)

// part is a component with columns. A link leads to a later column; where it passes others, it bends.
type part struct {
	links    []link
	chains   [][]int // the vertices of each link, one a column
	vertices []vertex
	columns  [][]int // vertices from the top

	left                []int // edge of each column
	x, y, width, height int
}

// vertex is a card or a bend.
type vertex struct {
	node          int // -1 for a bend
	column, place int
	y             int   // of the middle
	before, after []int // neighbours in the columns beside it
}

func (v *vertex) isBend() bool { return v.node < 0 }

// newPart gives every node of a component a column, and every long link its bends.
func newPart(c component) *part {
	p := &part{links: c.links}
	needs, dependents := c.neighbours()
	columns := columnsOf(needs, dependents)
	pull(needs, dependents, columns)
	vertexOf := make(map[int]int, len(c.nodes))
	for i, node := range c.nodes {
		vertexOf[node] = p.addVertex(node, columns[i])
	}
	p.addChains(vertexOf)
	return p
}

// neighbours gives for each node of a component the ones that it needs and those that need it, as indices into its nodes.
func (c component) neighbours() (needs, dependents [][]int) {
	index := make(map[int]int, len(c.nodes))
	for i, node := range c.nodes {
		index[node] = i
	}
	needs, dependents = make([][]int, len(c.nodes)), make([][]int, len(c.nodes))
	for _, l := range c.links {
		from, to := index[l.from], index[l.to]
		needs[to] = append(needs[to], from)
		dependents[from] = append(dependents[from], to)
	}
	return needs, dependents
}

// mostInColumn keeps pictures wider than they are high.
func mostInColumn(nodes int) int {
	return max(9, int(math.Ceil(1.6*math.Sqrt(float64(nodes)))))
}

// columnsOf puts each node right of all that it needs, into the first column that has room. Of the nodes that compete
// for a column those come first that the longest chain still follows.
func columnsOf(needs, dependents [][]int) []int {
	columns := make([]int, len(needs))
	tails := tailsOf(needs, dependents)
	open := make([]int, len(needs))
	var ready []int
	for node := range needs {
		if open[node] = len(needs[node]); open[node] == 0 {
			ready = append(ready, node)
		}
	}
	most := mostInColumn(len(needs))
	for column := 0; len(ready) > 0; column++ {
		slices.SortStableFunc(ready, func(a, b int) int {
			if tails[a] != tails[b] {
				return tails[b] - tails[a]
			}
			return a - b
		})
		now := ready[:min(most, len(ready))]
		ready = slices.Clone(ready[len(now):])
		for _, node := range now {
			columns[node] = column
			for _, dependent := range dependents[node] {
				if open[dependent]--; open[dependent] == 0 {
					ready = append(ready, dependent)
				}
			}
		}
	}
	return columns
}

// tailsOf gives the length of the longest chain that follows each node.
func tailsOf(needs, dependents [][]int) []int {
	tails := make([]int, len(needs))
	open := make([]int, len(needs))
	var done []int
	for node := range needs {
		if open[node] = len(dependents[node]); open[node] == 0 {
			done = append(done, node)
		}
	}
	for len(done) > 0 {
		node := done[0]
		done = done[1:]
		for _, need := range needs[node] {
			tails[need] = max(tails[need], tails[node]+1)
			if open[need]--; open[need] == 0 {
				done = append(done, need)
			}
		}
	}
	return tails
}

// pull moves nodes that need nothing towards the first node that needs them, as far as there is room.
func pull(needs, dependents [][]int, columns []int) {
	count := make([]int, len(needs))
	for _, column := range columns {
		count[column]++
	}
	most := mostInColumn(len(needs))
	for node := range needs {
		if len(needs[node]) > 0 || len(dependents[node]) == 0 {
			continue
		}
		to := len(needs)
		for _, dependent := range dependents[node] {
			to = min(to, columns[dependent]-1)
		}
		for to > columns[node] && count[to] >= most {
			to--
		}
		count[columns[node]]--
		count[to]++
		columns[node] = to
	}
}

func (p *part) addVertex(node, column int) int {
	for column >= len(p.columns) {
		p.columns = append(p.columns, nil)
	}
	p.vertices = append(p.vertices, vertex{node: node, column: column, place: len(p.columns[column])})
	p.columns[column] = append(p.columns[column], len(p.vertices)-1)
	return len(p.vertices) - 1
}

// bundle is what links share their bends by: they come from one card and look alike.
type bundle struct {
	from int
	kind graph.NeedKind
}

// addChains adds the bends. Links of a bundle run together for as long as they can.
func (p *part) addChains(vertexOf map[int]int) {
	trunks := map[bundle][]int{}
	for _, l := range p.links {
		key := bundle{l.from, l.kind}
		trunk, ok := trunks[key]
		if !ok {
			trunk = []int{vertexOf[l.from]}
		}
		to := vertexOf[l.to]
		length := p.vertices[to].column - p.vertices[vertexOf[l.from]].column
		for len(trunk) < length {
			last := trunk[len(trunk)-1]
			bend := p.addVertex(-1, p.vertices[last].column+1)
			p.join(last, bend)
			trunk = append(trunk, bend)
		}
		trunks[key] = trunk
		p.join(trunk[length-1], to)
		p.chains = append(p.chains, append(slices.Clone(trunk[:length]), to))
	}
}

func (p *part) join(a, b int) {
	p.vertices[a].after = append(p.vertices[a].after, b)
	p.vertices[b].before = append(p.vertices[b].before, a)
}
