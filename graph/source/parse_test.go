package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/graph/diag"
)

// asKubectl decodes one document as kubectl does.
func asKubectl(t testing.TB, text string) (any, error) {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, err
	}
	var out any
	return out, utiljson.Unmarshal(data, &out)
}

func lines(problems diag.List) []string {
	var out []string
	for _, d := range problems.Sorted() {
		out = append(out, d.String())
	}
	return out
}

func TestScalarsAreTypedAsKubectlDoes(t *testing.T) {
	scalars := []string{
		"yes", "No", "on", "OFF", "y", "n", "true", "False", "TRUE", "tRue", "null", "~", "", "Null", "nUll",
		"0", "7", "-7", "+7", "007", "08", "0x1F", "0o17", "0b101", "-0b11", "1_000", "9223372036854775807", "9223372036854775808",
		"18446744073709551615", "18446744073709551616", "-9223372036854775808", "1.0", "1.5", "1e3", "1e20", "1e21", "-0.0",
		".5", "5.", "+.5", "1.2.3", "0.1e-7", "123456789012345678901234567890", "12:30:45", "1:2",
		"2001-12-14", "2001-12-14T21:59:43Z", "2001-12-14 21:59:43", "2001-99-99", "2024-1-2", "2001-", "+", ".", "..", "-.5", "0x", "_1", "1_", "0_7",
		`"yes"`, `'12'`, "|\n  yes", ">-\n  12", "!!str 12", "!!int \"3\"", "!!float 3", "!!bool yes", "!!null ''", "!!binary aGk=", "!mine x", "!!timestamp 2001-12-14",
		"a b", "ünï", "<<", "=", "\"\\u00e9\\n\"", "nan", "inf",
	}
	for _, scalar := range scalars {
		t.Run(scalar, func(t *testing.T) {
			text := "x: " + scalar + "\n"
			want, err := asKubectl(t, text)
			if err != nil {
				t.Fatal(err)
			}
			docs, problems := Parse("", []byte(text))
			if problems.Len() > 0 {
				t.Fatal(lines(problems))
			}
			if diff := cmp.Diff(want, docs[0].Root.Plain()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMapsReadAsKubectlDoes(t *testing.T) {
	for name, text := range map[string]string{
		"keys of all kinds":    "1: a\n0x10: b\nyes: c\n1.5: d\n2001-01-01: e\n'12': f\n1e3: g\n.inf: h\n",
		"anchors":              "a: &a {x: [1, 2]}\nb: *a\nc: {d: *a}\n",
		"key alias":            "a: &k name\n*k : 1\n",
		"merge before":         "base: &b {x: 1, y: 2}\nc:\n  <<: *b\n  y: 3\n",
		"merge after":          "base: &b {x: 1, y: 2}\nc:\n  y: 3\n  <<: *b\n",
		"merge list":           "l: &l {x: 1}\nr: &r {x: 2, y: 3}\nc:\n  <<: [*l, *r]\n  z: 1\n",
		"merge inline":         "c: {<<: {x: 1}, y: 2}\n",
		"merge of merged":      "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b}\n",
		"quoted merge key":     "c: {\"<<\": {x: 1}}\n",
		"empty values":         "a:\nb: []\nc: {}\nd: ''\n",
		"json":                 `{"a": [1, -2, 3.5, true, null, "x y"], "b": {"c": ""}}`,
		"comment and document": "# hello\n---\na: 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			want, err := asKubectl(t, text)
			if err != nil {
				t.Fatal(err)
			}
			docs, problems := Parse("", []byte(text))
			if problems.HasErrors() || len(docs) != 1 {
				t.Fatal(len(docs), lines(problems))
			}
			if diff := cmp.Diff(want, docs[0].Root.Plain()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// dump prints a value with the places of everything in it.
func dump(w io.Writer, v *Value) {
	fmt.Fprintf(w, "%d:%d %s %v\n", v.Position.Line, v.Position.Column, v.Path, v.Scalar)
	for _, f := range v.Fields {
		fmt.Fprintf(w, "%d:%d key %s\n", f.KeyPosition.Line, f.KeyPosition.Column, f.Key)
		dump(w, f.Value)
	}
	for _, item := range v.Items {
		dump(w, item)
	}
}

func TestWordsAsKeysAreWarnedOf(t *testing.T) {
	for text, want := range map[string][]string{
		"status: {n: 1}": {`1:10: warning PLT006 status.false: the key n is read as "false": it is a word for that in YAML` + "\n    Write \"n\", in quotes."},
		"on: 1":          {`1:1: warning PLT006 true: the key on is read as "true": it is a word for that in YAML` + "\n    Write \"on\", in quotes."},
		"{true: 1, 'n': 2, \"off\": 3, !!str no: 4, False: 5}": nil,
		"a: &a {y: 1}\nb: *a\nc: {<<: *a}":                     {`1:8: warning PLT006 a.true: the key y is read as "true": it is a word for that in YAML` + "\n    Write \"y\", in quotes."},
	} {
		_, problems := Parse("", []byte(text))
		var got []string
		for _, d := range problems.Sorted() {
			got = append(got, d.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", text, diff)
		}
	}
}

func TestPlaces(t *testing.T) {
	text := "# first\na: 1\n---\nspec:\n  resources:\n  - id: x\n    data:\n      app.conf: |\n        text\n      toEast: \"y\"\n"
	docs, problems := Parse("f.yaml", []byte(text))
	if problems.Len() > 0 || len(docs) != 2 {
		t.Fatal(len(docs), lines(problems))
	}
	var got bytes.Buffer
	dump(&got, docs[1].Root)
	want := strings.Join([]string{
		"4:1  <nil>", "4:1 key spec", "5:3 spec <nil>", "5:3 key resources", "6:3 spec.resources <nil>",
		"6:5 spec.resources[0] <nil>", "6:5 key id", "6:9 spec.resources[0].id x", "7:5 key data",
		"8:7 spec.resources[0].data <nil>", "8:7 key app.conf", `8:17 spec.resources[0].data["app.conf"] text`, "",
		"10:7 key toEast", "10:15 spec.resources[0].data.toEast y", "",
	}, "\n")
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestPlacesOfJSON(t *testing.T) {
	docs, problems := Parse("f.json", []byte("{\"a\": [1,\n  {\"ü\": 2, \"c\": {}}]}\n{\"d\": 1.0}\n"))
	if problems.Len() > 0 || len(docs) != 2 {
		t.Fatal(len(docs), lines(problems))
	}
	var got bytes.Buffer
	dump(&got, docs[0].Root)
	dump(&got, docs[1].Root)
	want := strings.Join([]string{
		"1:1  <nil>", "1:2 key a", "1:7 a <nil>", "1:8 a[0] 1", "2:3 a[1] <nil>", "2:4 key ü", `2:9 a[1]["ü"] 2`,
		"2:12 key c", "2:17 a[1].c <nil>", "3:1  <nil>", "3:2 key d", "3:7 d 1", "",
	}, "\n")
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
	if docs[1].Root.Get("d").Kind != Float {
		t.Error("1.0 in JSON is no float")
	}
}

func TestAliasesStandWhereTheyAreUsed(t *testing.T) {
	docs, _ := Parse("", []byte("a: &a\n  x: 1\nb: *a\n"))
	b := docs[0].Root.Get("b")
	if diff := cmp.Diff(diag.Position{Line: 3, Column: 4}, b.Position); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("b.x", b.Get("x").Path); diff != "" {
		t.Error(diff)
	}
}

func TestParseProblems(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 9; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"duplicate key":          {"data:\n  mode: fast\n  size: big\n  mode: slow\n", []string{`f:4:3: error PLT002 data.mode: the key "mode" stands here a second time`}},
		"duplicate after typing": {"1: a\n'1': b\n", []string{`f:2:1: error PLT002 1: the key "1" stands here a second time`}},
		"duplicate in JSON":      {`{"a": 1, "b": {"c": 1, "c": 2}}`, []string{`f:1:24: error PLT002 b.c: the key "c" stands here a second time`}},
		"three times":            {"a: 1\na: 2\na: 3\n", []string{"f:2:1: error PLT002 a:"}},
		"unclosed quote":         {"a: 1\nb: \"x\nc: 2\n", []string{"f:2:1: error PLT001: this is no valid YAML: found unexpected end of stream"}},
		"indented too little":    {"a:\n    b: 1\n    c: 2\n   d: 3\ne: 4\n", []string{"f:4:4: error PLT001: this is no valid YAML: did not find expected key"}},
		"behind an open list":    {"a: [1,\n  2,\n  3]\nb: c: d\ne: [\n  1]\n", []string{"f:4:1: error PLT001"}},
		"in the second document": {"a: 1\n---\nb: 1\n c: 2\n", []string{"f:4:2: error PLT001"}},
		"last line":              {"a: 1\nb: *", []string{"f:2:1: error PLT001"}},
		"broken, others read":    {"a: 1\n---\na: [\n---\na: 2\n", []string{"error PLT001: this is no valid YAML: "}},
		"tab":                    {"a:\n\tb: 1\n", []string{"f:2:2: error PLT001: this is no valid YAML: found character that cannot start any token"}},
		"unknown anchor":         {"a: *x\n", []string{"unknown anchor 'x' referenced"}},
		"no map":                 {"- a\n", []string{"f:1:1: error PLT004: a document must be a map"}},
		"key that is a list":     {"a:\n  [1]: x\n", []string{"f:2:3: error PLT001 a: a key must be text"}},
		"null key":               {"~: x\n", []string{"f:1:1: error PLT001: a key must be text"}},
		"infinity":               {"a: .inf\n", []string{`f:1:4: error PLT001 a: ".inf" cannot be read: infinities`}},
		"tag that does not fit":  {"a: !!int x\n", []string{`f:1:4: error PLT001 a: "x" cannot be read: the value does not fit its tag`}},
		"alias of itself":        {"a: &a\n  b: *a\n", []string{`f:2:6: error PLT001 a.b.b: the anchor "a" contains itself`}},
		"merge of text":          {"a: {<<: x}\n", []string{"f:1:9: error PLT001 a: a merge key takes a map"}},
		"billion laughs":         {bomb, []string{"the aliases of this document expand to too many values"}},
		"too deep":               {"a: " + strings.Repeat("[", 600) + strings.Repeat("]", 600), []string{"nested too deeply"}},
		"too deep JSON":          {`{"a": ` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "}", []string{"nested too deeply"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := Parse("f", []byte(tc.text))
			got := lines(problems)
			if len(got) != len(tc.want) {
				t.Fatalf("got %d problems: %q", len(got), got)
			}
			for i, want := range tc.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("got %q, want %q in it", got[i], want)
				}
			}
		})
	}
}

func TestBrokenDocumentsLeaveTheOthers(t *testing.T) {
	docs, problems := Parse("f", []byte("kind: A\nmetadata: {name: x}\n---\na: [\n---\n# nothing\n---\nkind: B\napiVersion: v1\n"))
	if problems.Len() != 1 || len(docs) != 2 || docs[0].Kind != "A" || docs[0].Name != "x" || docs[1].APIVersion != "v1" {
		t.Errorf("got %v, %v", docs, lines(problems))
	}
}

func TestFromPlain(t *testing.T) {
	plain := map[string]any{"b": []any{int64(1), 1.5, "x", nil, true}, "a.b": map[string]any{}, "n": json.Number("7")}
	v := FromPlain(plain)
	var got bytes.Buffer
	dump(&got, v)
	want := "0:0  <nil>\n0:0 key a.b\n0:0 [\"a.b\"] <nil>\n0:0 key b\n0:0 b <nil>\n0:0 b[0] 1\n0:0 b[1] 1.5\n0:0 b[2] x\n0:0 b[3] <nil>\n0:0 b[4] true\n0:0 key n\n0:0 n 7\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a: 1\n", "a: &a [1]\nb: *a\n", "{\"a\": [1.5]}", "---\nx: |\n  y\n---\n? a\n: b\n", "<<: {a: yes}\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		docs, problems := Parse("f", []byte(text))
		again, _ := Parse("f", []byte(text))
		if diff := cmp.Diff(docs, again); diff != "" {
			t.Error(diff)
		}
		if len(docs) != 1 || problems.HasErrors() || strings.ContainsAny(text, "!%") || strings.Contains(text, "---") {
			return
		}
		want, err := asKubectl(t, text)
		if err != nil || strings.HasPrefix(strings.TrimSpace(text), "{") {
			return
		}
		if diff := cmp.Diff(want, docs[0].Root.Plain()); diff != "" {
			t.Error(diff)
		}
	})
}
