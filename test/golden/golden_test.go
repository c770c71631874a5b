package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recorder notes what a check says instead of failing.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, _ ...any) { r.said = format }

func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kept.txt")
	if err := os.WriteFile(file, []byte("kept\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for got, fails := range map[string]bool{"kept\n": false, "other\n": true, "": true} {
		r := &recorder{TB: t}
		Check(r, file, got)
		if strings.Contains(r.said, "-want +got") != fails {
			t.Errorf("holding %q against the file said %q", got, r.said)
		}
	}
}
