package main

import "testing"

func TestFaultsOf(t *testing.T) {
	a := request{verb: "patch", what: "configmaps/*-a", isWrite: true, code: 200}
	refused := a
	refused.code = 409
	other := request{verb: "delete", what: "configmaps/*-foreign", isWrite: true, code: 200}
	gone := other
	gone.code = 404
	status := request{verb: "patch", what: "configmaps:status/*-a", isWrite: true, code: 200}
	late := request{verb: "patch", what: "bindings:status/*", isWrite: true, code: 200}
	cases := map[string]struct {
		writes []request
		want   int
	}{
		"as the clean run":    {[]request{a}, 0},
		"three times":         {[]request{a, a, a}, 0},
		"four times":          {[]request{a, a, a, a}, 1},
		"four times, refused": {[]request{a, refused, refused, refused}, 0},
		"of what is gone":     {[]request{a, gone}, 0},
		"of somebody else":    {[]request{a, other}, 1},
		"of a status too":     {[]request{a, status}, 0},
		"of another stage":    {[]request{a, late}, 0},
	}
	for name, c := range cases {
		if got := faultsOf(c.writes, []request{a}, statusesOf([][]request{{a}, {late}})); len(got) != c.want {
			t.Errorf("%s: %v, want %d", name, got, c.want)
		}
	}
}

func TestOutOfOrder(t *testing.T) {
	a := request{verb: "delete", what: "configmaps/*-a", isWrite: true, code: 200}
	b := request{verb: "delete", what: "configmaps/*-b", isWrite: true, code: 200}
	if got := outOfOrder([]request{b, b, a}, []request{b, a}); len(got) > 0 {
		t.Errorf("a repeated deletion: %v", got)
	}
	if got := outOfOrder([]request{a, b}, []request{b, a}); len(got) == 0 {
		t.Error("the other order is not seen")
	}
}
