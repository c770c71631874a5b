package draw

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/graph"
)

var update = flag.Bool("update", false, "rewrite the golden files")

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
				file := filepath.Join("testdata", name+"."+format)
				got := draw(g)
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("%s (-want +got), -update rewrites it:\n%s", file, diff)
				}
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
