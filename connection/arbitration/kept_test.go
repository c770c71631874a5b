package arbitration

import (
	"fmt"
	"testing"
)

func TestKept(t *testing.T) {
	cluster, older, inN, inM := claim("", "c", "one", 5), claim("", "a", "one", 1), claim("n", "b", "one", 2), claim("m", "b", "one", 3)
	tests := map[string]struct {
		of     Claim
		claims []Claim
		want   string
	}{
		"nobody has it":            {cluster, nil, "[] false"},
		"it has it itself":         {cluster, []Claim{cluster}, "[] false"},
		"everywhere by another":    {cluster, []Claim{cluster, older}, "[] true"},
		"a namespace by another":   {inN, []Claim{inN, older}, "[] true"},
		"the same namespace":       {claim("n", "x", "one", 9), []Claim{inN}, "[] true"},
		"in another namespace":     {inM, []Claim{inN}, "[] false"},
		"some namespaces":          {cluster, []Claim{cluster, inN, inM}, "[m n] false"},
		"the one is not there yet": {cluster, []Claim{inN}, "[n] false"},
	}
	for name, tt := range tests {
		namespaces, everywhere := Kept(tt.of, tt.claims, api, "")
		if got := fmt.Sprint(namespaces, everywhere); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
