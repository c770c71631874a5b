package diag

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	known := []string{"readyWhen", "includeWhen", "replicas", "integer", "string", "boolean", "a", "b", "replicaSet"}
	for name, want := range map[string][]string{
		"readywhen": {"readyWhen"}, "intger": {"integer"}, "replica": {"replicas", "replicaSet"}, "bool": {"boolean"},
		"sting": {"string"}, "strnig": {"string"}, "c": {"a", "b"}, "zebra": nil, "": {"a", "b"}, "string": nil,
	} {
		if diff := cmp.Diff(want, Nearest(name, known)); diff != "" {
			t.Errorf("%q: %s", name, diff)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	for want, known := range map[string][]string{
		"": {"x"}, "Did you mean abcd?": {"abcd"}, "Did you mean abca, abcd or abce?": {"abce", "abcd", "abca", "abcf"},
	} {
		if got := DidYouMean("abc", known); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
