package expr

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// maxNearest is how many similar names are worth reading.
const maxNearest = 3

// nearest finds names that could be meant by a name that does not exist, best first.
func nearest(name string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	limit := max(1, (len(name)+1)/3)
	var found []candidate
	for _, other := range known {
		if other == name {
			continue
		}
		d := distance(strings.ToLower(name), strings.ToLower(other))
		if d <= limit {
			found = append(found, candidate{other, d})
		}
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	names := make([]string, 0, maxNearest)
	for _, c := range found[:min(len(found), maxNearest)] {
		names = append(names, c.name)
	}
	return names
}

// distance is the number of letters to insert, drop, change or swap with the next one.
func distance(a, b string) int {
	if abs(len(a)-len(b)) > max(len(a), len(b))/2+1 {
		return max(len(a), len(b))
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// didYouMean asks for the nearest names; empty if there is none.
func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	quotedNames := make([]string, len(names))
	for i, name := range names {
		quotedNames[i] = strconv.Quote(name)
	}
	return "Did you mean " + strings.Join(quotedNames, " or ") + "?"
}
