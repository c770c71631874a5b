package draw

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestGrant(t *testing.T) {
	tests := []struct {
		name   string
		wishes []wish
		want   []int
	}{
		{"nobody is in the way", []wish{{y: 5, weight: 1}, {y: 40, weight: 1, offset: 10}}, []int{5, 40}},
		{"two want the same place", []wish{{y: 20, weight: 1}, {y: 20, weight: 1, offset: 10}}, []int{15, 25}},
		{"the heavier one moves less", []wish{{y: 20, weight: 9}, {y: 20, weight: 1, offset: 10}}, []int{19, 29}},
		{"order stays", []wish{{y: 100, weight: 1}, {y: 0, weight: 1, offset: 10}}, []int{45, 55}},
		{"negative", []wish{{y: -7, weight: 1}, {y: -8, weight: 1, offset: 10}}, []int{-13, -3}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, grant(test.wishes)); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

// Neighbours never come closer than their offsets say.
func TestGrantKeepsDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wishes := make([]wish, rapid.IntRange(1, 20).Draw(t, "n"))
		offset := 0
		for i := range wishes {
			wishes[i] = wish{
				y: rapid.IntRange(-500, 500).Draw(t, "y"), weight: rapid.IntRange(1, 9).Draw(t, "weight"), offset: offset,
			}
			offset += rapid.IntRange(0, 40).Draw(t, "distance")
		}
		got := grant(wishes)
		for i := 1; i < len(got); i++ {
			if least := wishes[i].offset - wishes[i-1].offset; got[i]-got[i-1] < least {
				t.Fatalf("%v: %d and %d are closer than %d", got, got[i-1], got[i], least)
			}
		}
	})
}

func TestPorts(t *testing.T) {
	tests := []struct {
		name         string
		wanted, want []int
	}{
		{"level", []int{9}, []int{9}},
		{"too far away", []int{300}, []int{0}},
		{"three from afar", []int{-90, 0, 90}, []int{-11, 0, 11}},
		{"many", []int{-90, -80, -70, -60, 60, 70, 80, 90}, []int{-17, -12, -7, -2, 3, 8, 13, 18}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, ports(test.wanted)); diff != "" {
				t.Errorf("ports (-want +got):\n%s", diff)
			}
		})
	}
}
