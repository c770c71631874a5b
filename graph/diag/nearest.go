package diag

import (
	"cmp"
	"slices"
	"strings"
)

// maxNearest is how many names a suggestion offers.
const maxNearest = 3

// minPrefix is how much of a name says enough about it.
const minPrefix = 3

// Nearest gives the known names that somebody may have meant by name: at most three, nearest first, then by
// name. A difference in case only counts as nearest of all, a name cut short as near.
func Nearest(name string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	limit := max(1, len(name)/3)
	var found []candidate
	for _, k := range known {
		if k == name {
			continue
		}
		d := distance(strings.ToLower(name), strings.ToLower(k), limit)
		if len(name) >= minPrefix && strings.HasPrefix(strings.ToLower(k), strings.ToLower(name)) {
			d = min(d, limit)
		}
		if d <= limit {
			found = append(found, candidate{k, d})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.name, b.name))
	})
	found = slices.CompactFunc(found, func(a, b candidate) bool { return a.name == b.name })
	var out []string
	for _, c := range found[:min(len(found), maxNearest)] {
		out = append(out, c.name)
	}
	return out
}

// DidYouMean is the suggestion for a name that is not known; empty when nothing is near.
func DidYouMean(name string, known []string) string {
	near := Nearest(name, known)
	if len(near) == 0 {
		return ""
	}
	return "Did you mean " + OneOf(near) + "?"
}

// OneOf lists names for people: "a", "a or b", "a, b or c".
func OneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// distance is the number of letters to insert, remove, replace or swap with their neighbour; anything above
// limit stands for "too far".
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if abs(len(x)-len(y)) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			change := last[j-1]
			if x[i-1] != y[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

func abs(n int) int { return max(n, -n) }
