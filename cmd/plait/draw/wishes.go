package draw

// wish is where something in a row would like to be.
type wish struct {
	y, weight int
	offset    int // from the first one of the row when all are as close as they may be
}

// run is a part of a row whose members touch. On average they want to start at sum/weight.
type run struct{ from, to, sum, weight int }

func (r run) start() int { return floorDiv(r.sum, r.weight) }

// grant gives each wish a place: in their order, as far apart as the offsets say, with the least sum of squares of
// what is missing. It is an isotonic regression, found by merging runs that would overlap.
func grant(wishes []wish) []int {
	var runs []run
	for i, w := range wishes {
		r := run{from: i, to: i + 1, sum: (w.y - w.offset) * w.weight, weight: w.weight}
		for len(runs) > 0 && runs[len(runs)-1].start() >= r.start() {
			last := runs[len(runs)-1]
			r = run{from: last.from, to: r.to, sum: last.sum + r.sum, weight: last.weight + r.weight}
			runs = runs[:len(runs)-1]
		}
		runs = append(runs, r)
	}
	out := make([]int, len(wishes))
	for _, r := range runs {
		for i := r.from; i < r.to; i++ {
			out[i] = r.start() + wishes[i].offset
		}
	}
	return out
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
