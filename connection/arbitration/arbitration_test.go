package arbitration

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const api = "databases.db.example.com"

// claim has an age in seconds; a larger one is younger.
func claim(namespace, name, connection string, age int) Claim {
	return Claim{Namespace: namespace, Name: name, Connection: connection, Created: time.Unix(int64(age), 0), APIs: []string{"a.x", api}}
}

func TestHolders(t *testing.T) {
	tests := map[string]struct {
		claims    []Claim
		installed string
		want      []string
	}{
		"none":                              {nil, "", nil},
		"names other APIs":                  {[]Claim{{Name: "a", APIs: []string{"a.x"}}}, "", nil},
		"the older one":                     {[]Claim{claim("", "b", "one", 1), claim("", "a", "two", 2)}, "", []string{`ClusterBinding "b"`}},
		"of one age: ClusterBinding first":  {[]Claim{claim("n", "a", "one", 1), claim("", "b", "two", 1)}, "", []string{`ClusterBinding "b"`}},
		"of one age: by name":               {[]Claim{claim("", "b", "one", 1), claim("", "a", "two", 1)}, "", []string{`ClusterBinding "a"`}},
		"age before kind":                   {[]Claim{claim("n", "a", "one", 1), claim("", "b", "two", 2)}, "", []string{`Binding "n/a"`}},
		"the installed one keeps it":        {[]Claim{claim("", "a", "one", 1), claim("", "b", "two", 2)}, "two", []string{`ClusterBinding "b"`}},
		"installed, and bound no more":      {[]Claim{claim("", "a", "one", 1)}, "two", []string{`ClusterBinding "a"`}},
		"two namespaces of one Connection":  {[]Claim{claim("n", "a", "one", 1), claim("m", "a", "one", 2)}, "", []string{`Binding "n/a"`, `Binding "m/a"`}},
		"two namespaces of two Connections": {[]Claim{claim("n", "a", "one", 1), claim("m", "a", "two", 2)}, "", []string{`Binding "n/a"`}},
		"twice in a namespace":              {[]Claim{claim("n", "a", "one", 1), claim("n", "b", "one", 2)}, "", []string{`Binding "n/a"`}},
		"everywhere, then in a namespace":   {[]Claim{claim("n", "a", "one", 2), claim("", "b", "one", 1)}, "", []string{`ClusterBinding "b"`}},
		"in a namespace, then everywhere":   {[]Claim{claim("n", "a", "one", 1), claim("", "b", "one", 2)}, "", []string{`Binding "n/a"`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				var got []string
				for _, c := range Holders(tt.claims, api, tt.installed) {
					got = append(got, c.String())
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("holders (-want +got):\n%s", diff)
				}
				slices.Reverse(tt.claims)
			}
		})
	}
}

func TestRival(t *testing.T) {
	first, second, other := claim("n", "a", "one", 1), claim("m", "a", "one", 2), claim("m", "b", "one", 3)
	all := []Claim{first, second, other}
	tests := map[string]struct {
		claim Claim
		want  string
	}{
		"holds it":             {first, ""},
		"holds it elsewhere":   {second, ""},
		"its namespace's":      {other, `Binding "m/a"`},
		"another Connection's": {claim("o", "c", "two", 4), `Binding "n/a"`},
	}
	for name, tt := range tests {
		rival, ok := Rival(tt.claim, append(all, tt.claim), api, "")
		if ok != (tt.want != "") || (ok && rival.String() != tt.want) {
			t.Errorf("%s: rival %v (%v), want %q", name, rival, ok, tt.want)
		}
	}
}
