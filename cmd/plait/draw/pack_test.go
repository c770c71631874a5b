package draw

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestPack(t *testing.T) {
	tests := []struct {
		name  string
		parts []*part
		want  []point
	}{
		{"one", []*part{{width: 100, height: 50}}, []point{{0, 0}}},
		{
			"small ones beside a large one and below",
			[]*part{{width: 600, height: 400}, {width: 100, height: 66}, {width: 100, height: 66}, {width: 600, height: 66}},
			[]point{{0, 0}, {634, 0}, {634, 100}, {0, 434}},
		},
		{
			"rows",
			[]*part{{width: 66, height: 66}, {width: 66, height: 66}, {width: 66, height: 66}},
			[]point{{0, 0}, {100, 0}, {0, 100}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			pack(test.parts)
			var got []point
			for _, p := range test.parts {
				got = append(got, point{p.x, p.y})
			}
			if diff := cmp.Diff(test.want, got, cmpopts.EquateComparable(point{})); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}
