package connection

import (
	"fmt"
	"slices"
	"testing"
)

// TestFittingKeepsWhatIsBound has a provider export more than one binding holds: what is bound stays bound.
func TestFittingKeepsWhatIsBound(t *testing.T) {
	var all []string
	for i := range maxBound + 3 {
		all = append(all, fmt.Sprintf("api%04d.example.com", i))
	}
	bound := all[3:]
	if got := fitting(slices.Clone(all), bound); !slices.Equal(got, bound) {
		t.Errorf("%d names from %s on, want those that are bound", len(got), got[0])
	}
	if got := fitting(slices.Clone(all), bound[10:]); len(got) != maxBound || !slices.IsSorted(got) || got[0] != all[0] || got[len(got)-1] != all[len(all)-1] {
		t.Errorf("%d names from %s to %s, want %d: those that are bound, and the first others", len(got), got[0], got[len(got)-1], maxBound)
	}
	if got := fitting(slices.Clone(all[:5]), nil); len(got) != 5 {
		t.Errorf("of five names are left %v", got)
	}
}
