package expr

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// literal and code make the parts of expected texts.
func literal(text string) Part                { return Part{Literal: text} }
func code(expression string, offset int) Part { return Part{Expression: expression, Offset: offset} }

func TestScan(t *testing.T) {
	tests := []struct {
		name, text string
		standalone bool
		parts      []Part
	}{
		{"empty", ``, false, nil},
		{"literal", `plain $HOME $(x) $$ 5$`, false, []Part{literal(`plain $HOME $(x) $$ 5$`)}},
		{"standalone", `${a}`, true, []Part{code("a", 2)}},
		{"standalone in white space", "  ${a}\n", true, []Part{code("a", 4)}},
		{"text", `a ${b} c`, false, []Part{literal("a "), code("b", 4), literal(" c")}},
		{"two", `${a}${b}`, false, []Part{code("a", 2), code("b", 6)}},
		{"two with space", `${a} ${b}`, false, []Part{code("a", 2), literal(" "), code("b", 7)}},
		{"escape", `$${x}`, false, []Part{literal("${x}")}},
		{"escape after a dollar", `$$${x}`, false, []Part{literal("$${x}")}},
		{"escape beside an expression", `$${x}${y}`, false, []Part{literal("${x}"), code("y", 7)}},
		{"map literal", `${{"a": {"b": 1}}}`, true, []Part{code(`{"a": {"b": 1}}`, 2)}},
		{"brace in double quotes", `${"}"}`, true, []Part{code(`"}"`, 2)}},
		{"brace in single quotes", `${'{'}`, true, []Part{code(`'{'`, 2)}},
		{"escaped quote", `${"a\"}b"}`, true, []Part{code(`"a\"}b"`, 2)}},
		{"escaped single quote", `${'it\'s }'}`, true, []Part{code(`'it\'s }'`, 2)}},
		{"triple quotes", `${'''it's {fine}'''}`, true, []Part{code(`'''it's {fine}'''`, 2)}},
		{"triple double quotes", `${"""she said "}" twice"""}`, true, []Part{code(`"""she said "}" twice"""`, 2)}},
		{"triple quotes over lines", "${'''a }\nb'''}", true, []Part{code("'''a }\nb'''", 2)}},
		{"raw string", `${r"C:\"}`, true, []Part{code(`r"C:\"`, 2)}},
		{"raw bytes", `${bR'\'}`, true, []Part{code(`bR'\'`, 2)}},
		{"bytes", `${b"\"}"}`, true, []Part{code(`b"\"}"`, 2)}},
		{"name that ends in r", `${var"\"}"}`, true, []Part{code(`var"\"}"`, 2)}},
		{"comment", "${a // }\n+ b}", true, []Part{code("a // }\n+ b", 2)}},
		{"slashes in a string", `${"http://}"}`, true, []Part{code(`"http://}"`, 2)}},
		{"dollar brace in a string", `${"${x}"}`, true, []Part{code(`"${x}"`, 2)}},
		{"other letters", `Grüße ${a} – ${b}€`, false, []Part{literal("Grüße "), code("a", 10), literal(" – "), code("b", 19), literal("€")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Scan(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.parts, got.Parts); diff != "" {
				t.Error(diff)
			}
			if got.Standalone != test.standalone {
				t.Errorf("standalone is %t", got.Standalone)
			}
			if got.Source() != test.text {
				t.Errorf("source is %q", got.Source())
			}
		})
	}
}

func TestScanErrors(t *testing.T) {
	tests := []struct {
		text   string
		offset int
		want   string
	}{
		{`${schema.spec.title`, 0, "unterminated expression"},
		{`ok ${a} and then ${"abc}`, 17, "unterminated expression"},
		{`${'''abc'}`, 0, "unterminated expression"},
		{`${{}`, 0, "unterminated expression"},
		{`${a // no end }`, 0, "unterminated expression"},
		{`x ${}`, 2, "empty expression"},
		{`${  }`, 0, "empty expression"},
		{"${ // nothing\n }", 0, "empty expression"},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			_, err := Scan(test.text)
			if err == nil || err.Offset != test.offset || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %+v, want %q at %d", err, test.want, test.offset)
			}
		})
	}
}

func TestHasExpressions(t *testing.T) {
	for text, want := range map[string]bool{``: false, `a`: false, `$${a}`: false, `${a}`: true, `x${a}`: true} {
		if got := scan(t, text).HasExpressions(); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}

// unscan writes parts as a string that scans to them.
func unscan(text Text) string {
	var b strings.Builder
	for _, part := range text.Parts {
		if part.Expression != "" {
			b.WriteString("${" + part.Expression + "}")
			continue
		}
		b.WriteString(strings.ReplaceAll(part.Literal, "${", "$${"))
	}
	return b.String()
}

func FuzzScan(f *testing.F) {
	for _, seed := range []string{``, `a ${b} c`, `$$${x}`, `${"}"}`, `${'''a'b'''}`, "${a // }\n}", `${r"\"}`, `$${`, `${`, `${}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		scanned, err := Scan(text)
		if err != nil {
			if err.Offset < 0 || err.Offset >= len(text) {
				t.Fatalf("an error at %d of %d bytes", err.Offset, len(text))
			}
			return
		}
		for _, part := range scanned.Parts {
			if part.Expression != "" && text[part.Offset:part.Offset+len(part.Expression)] != part.Expression {
				t.Fatalf("%q does not stand at %d", part.Expression, part.Offset)
			}
		}
		want := text
		if scanned.Standalone {
			want = strings.TrimSpace(text)
		}
		if got := unscan(scanned); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	for name, text := range map[string]string{
		"literal":    strings.Repeat("no expression here, ", 20),
		"standalone": `${web.status.conditions.filter(c, c.type == "Ready")[0].status}`,
		"text":       `http://${web.metadata.name}.${web.metadata.namespace}.svc:${web.spec.port}/`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Scan(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
