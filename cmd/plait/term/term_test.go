package term

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	for _, row := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"fits as it is", 0, []string{"fits as it is"}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 13, []string{"one two three"}},
		{"abcdefgh ij", 3, []string{"abc", "def", "gh", "ij"}},
		{"äöü ßéè", 3, []string{"äöü", "ßéè"}},
	} {
		if diff := cmp.Diff(row.want, Wrap(row.text, row.width)); diff != "" {
			t.Errorf("%q in %d: %s", row.text, row.width, diff)
		}
	}
}

func TestClean(t *testing.T) {
	if got, want := Clean("a\x1b[31mred\n  b\u202ec\t"), "a\ufffd[31mred b\ufffdc"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestScreenOf(t *testing.T) {
	if got := ScreenOf(&bytes.Buffer{}, nil); got != (Screen{}) {
		t.Errorf("a buffer is no terminal: %v", got)
	}
	for _, row := range []struct {
		environment map[string]string
		want        bool
	}{
		{nil, true},
		{map[string]string{"NO_COLOR": "1"}, false},
		{map[string]string{"NO_COLOR": ""}, true},
		{map[string]string{"TERM": "dumb"}, false},
	} {
		lookup := func(name string) (string, bool) { v, ok := row.environment[name]; return v, ok }
		if got := wantsColours(lookup); got != row.want {
			t.Errorf("%v: %v", row.environment, got)
		}
	}
}

func TestPaint(t *testing.T) {
	if got := (Screen{}).Paint(Red, "x"); got != "x" {
		t.Errorf("%q", got)
	}
	if got := (Screen{Colours: true}).Paint(Red, "x"); got != "\x1b[31mx\x1b[0m" {
		t.Errorf("%q", got)
	}
}

func TestAge(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	past, future := now.Add(-90*time.Second), now.Add(time.Minute)
	if a, b, c := Age(now, &past), Age(now, &future), Age(now, nil); a != "90s" || b != "0s" || c != "" {
		t.Errorf("%q %q %q", a, b, c)
	}
}

func TestCut(t *testing.T) {
	for _, row := range []struct {
		line  string
		width int
		want  string
	}{
		{"short", 8, "short"},
		{"just fits", 9, "just fits"},
		{"too long", 5, "too …"},
		{"\x1b[31mred\x1b[0m", 3, "\x1b[31mred\x1b[0m"},
		{"\x1b[31mred\x1b[0m and more", 5, "\x1b[31mred\x1b[0m …\x1b[0m"},
		{"", 3, ""},
	} {
		if got := Cut(row.line, row.width); got != row.want {
			t.Errorf("%q in %d: got %q, want %q", row.line, row.width, got, row.want)
		}
	}
}
