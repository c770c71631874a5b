package draw

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/test/golden"
)

// formats are all ways to draw.
var formats = map[string]func(*graph.Graph) string{
	"txt":  Text,
	"dot":  DOT,
	"mmd":  Mermaid,
	"svg":  SVG,
	"json": dataText,
}

func dataText(g *graph.Graph) string {
	data, err := json.MarshalIndent(NewData(g), "", "  ")
	if err != nil {
		return err.Error()
	}
	return string(data) + "\n"
}

func TestGolden(t *testing.T) {
	graphs := map[string]*graph.Graph{"small": small(), "empty": sketch("nothing.apps.plait.run")}
	for name, g := range graphs {
		for format, draw := range formats {
			t.Run(name+"."+format, func(t *testing.T) {
				golden.Check(t, filepath.Join("testdata", name+"."+format), draw(g))
			})
		}
	}
}

func TestSameBytes(t *testing.T) {
	for format, draw := range formats {
		want := draw(generated(80, 3))
		for range 20 {
			if got := draw(generated(80, 3)); got != want {
				t.Fatalf("%s differs from one call to the next:\n%s", format, cmp.Diff(want, got))
			}
		}
	}
}
