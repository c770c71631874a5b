package contract

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAnnotation(t *testing.T) {
	for value, want := range map[string]string{ // to the fault; empty: none
		`{"spec":{"ref":{"kind":"K"}}}`:            "",
		`{"spec":{"ref":{}},"status":{"phase":7}}`: "", // it is replaced
		``:                                 "it is no JSON: it ends too early, at byte 0",
		`{"spec":`:                         "it is no JSON: it ends too early, at byte 8",
		`{"spec":}`:                        "it is no JSON at byte 9 of 9: invalid character '}' looking for beginning of value",
		`[]`:                               "it is a list, not an object",
		`null`:                             "it is null, not an object",
		`{} x`:                             "there is more after the object, at byte 4",
		`{}`:                               "spec.ref is missing",
		`{"spec":[]}`:                      "spec is a list, not an object",
		`{"spec":{"ref":"x"}}`:             "spec.ref is text, not an object",
		`{"spec":{"ref":{"name":true}}}`:   "spec.ref.name is a boolean, not text",
		`{"spec":{"ref":{}},"status":"x"}`: "status is text, not an object",
		strings.Repeat(`{"a":`, 20000):     "it is no JSON at byte 50001 of 100000: invalid character '{' exceeded max depth",
	} {
		_, got := parseAnnotation(value)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.40s (-want +got):\n%s", value, diff)
		}
	}
}

// FuzzAnnotation reads any text, and writes back what it can read.
func FuzzAnnotation(f *testing.F) {
	for _, seed := range []string{
		"", "{", "null", "7", `{"spec":{"ref":{"apiVersion":"a/v1","kind":"K","name":"n"}}}`,
		`{"spec":{"ref":{"name":"n","x":1e400}},"status":{"phase":"Ready","url":"https://x","more":[1]},"y":{}}`, `{"spec":{"ref":null}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		a, fault := parseAnnotation(value)
		if fault != "" {
			return
		}
		written, differs, err := a.with(Unavailable, "https://new")
		if err != nil {
			t.Fatal(err)
		}
		if !differs {
			written = value
		}
		b, fault := parseAnnotation(written)
		if fault != "" {
			t.Fatalf("what was written cannot be read: %s: %s", fault, written)
		}
		if b.Phase != Unavailable || b.URL != "https://new" || b.Reference != a.Reference {
			t.Errorf("%s became %s", value, written)
		}
		if diff := cmp.Diff(others(t, value), others(t, written)); diff != "" {
			t.Errorf("what is not ours was changed (-before +after):\n%s", diff)
		}
		if again, differs, err := b.with(Unavailable, "https://new"); differs || err != nil {
			t.Errorf("written twice: %s, %v", again, err)
		}
	})
}

// others gives an annotation without what is written to it.
func others(t *testing.T, value string) map[string]any {
	t.Helper()
	tree := map[string]any{}
	decoder := json.NewDecoder(strings.NewReader(value))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	status, _ := tree["status"].(map[string]any)
	delete(status, "phase")
	delete(status, "url")
	if len(status) == 0 {
		delete(tree, "status")
	}
	return tree
}
