package expr

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	known := []string{"replicas", "selector", "strategy", "template", "ip", "port", "ports", "hostIP"}
	tests := []struct {
		name string
		want []string
	}{
		{"replica", []string{"replicas"}},
		{"replcas", []string{"replicas"}},
		{"rpelicas", []string{"replicas"}},
		{"hostip", []string{"hostIP"}},
		{"prot", []string{"port"}},
		{"portss", []string{"ports", "port"}},
		{"ports", []string{"port"}},
		{"pi", []string{"ip"}},
		{"x", []string{}},
		{"somethingElse", []string{}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, nearest(test.name, known)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestPaths(t *testing.T) {
	for want, steps := range map[string][]any{
		"":                                nil,
		"status.endpoint":                 {"status", "endpoint"},
		`data["a.b"].x`:                   {"data", "a.b", "x"},
		`[0].name`:                        {int64(0), "name"},
		`items[*].name`:                   {"items", anyItem, "name"},
		`labels["demo.example.com/team"]`: {"labels", "demo.example.com/team"},
		`labels[""]`:                      {"labels", ""},
		`spec.my-key[true]`:               {"spec", "my-key", true},
	} {
		if got := formatPath(steps); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Positions lead back through back quotes that were put in, and through letters of more than one byte.
func TestSourcePositions(t *testing.T) {
	s := newSource(Part{Expression: `"ü" + a.in + b.?true + c . in + d`, Offset: 10})
	if want := "\"ü\" + a.`in` + b.?`true` + c . `in` + d"; s.escaped != want {
		t.Fatalf("got %s, want %s", s.escaped, want)
	}
	runes := []rune(s.escaped)
	for i, r := range runes {
		if r < 'a' || r > 'd' {
			continue
		}
		if at := s.position(i) - s.offset; s.text[at] != byte(r) {
			t.Errorf("%c is said to stand at %d of %s", r, at, s.text)
		}
	}
}
