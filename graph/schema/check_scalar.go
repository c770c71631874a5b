package schema

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"

	"github.com/plait-run/plait/graph/diag"
)

// maxAllowed is how many allowed values are named.
const maxAllowed = 12

// enum reports a value that is none of those allowed.
func (c *checker) enum(s *spec.Schema, v any, path string) {
	if len(s.Enum) == 0 || hasHole(v) {
		return
	}
	mine := canonical(v)
	var allowed, texts []string
	for _, e := range s.Enum {
		if canonical(e) == mine {
			return
		}
		allowed = append(allowed, canonical(e))
		if text, ok := e.(string); ok {
			texts = append(texts, text)
		}
	}
	f := Fault{Path: path, Kind: Enum}
	f.Message = fmt.Sprintf("expects %s, got %s", listed(allowed), nameOf(v))
	if text, ok := v.(string); ok {
		f.Nearest, f.Suggestion = diag.Nearest(text, texts), diag.DidYouMean(text, texts)
	}
	c.add(f)
}

func listed(allowed []string) string {
	if more := len(allowed) - maxAllowed; more > 1 {
		return fmt.Sprintf("one of %s and %d more", strings.Join(allowed[:maxAllowed], ", "), more)
	}
	return diag.OneOf(allowed)
}

// canonical is a value as compact JSON with sorted keys; 1 and 1.0 are the same.
func canonical(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// text reports what is wrong with a string.
func (c *checker) text(s *spec.Schema, v, path string) {
	length := int64(utf8.RuneCountInString(v))
	c.atLeast(s.MinLength, length, path, "character")
	c.atMost(s.MaxLength, length, path, "character")
	if s.Pattern != "" {
		if re, err := regexp.Compile(s.Pattern); err == nil && !re.MatchString(v) {
			c.add(Fault{Path: path, Kind: Pattern, Message: fmt.Sprintf("must match %s, got %s", s.Pattern, quoted(v))})
		}
	}
	c.format(s, v, path)
}

// format reports text that is not of the schema's format. Formats that nobody knows take any text.
func (c *checker) format(s *spec.Schema, v, path string) {
	f := Fault{Path: path, Kind: Format, Expected: s.Format}
	switch s.Format {
	case "":
		return
	case "byte":
		if _, err := base64.StdEncoding.DecodeString(v); err == nil {
			return
		}
		f.Message = "must be base64 text, which this is not"
		f.Suggestion = `Write the plain text as ${bytes("…")}, which is encoded for you, or write it as base64`
	case formatQuantity:
		if _, err := resource.ParseQuantity(v); err == nil {
			return
		}
		f.Message = fmt.Sprintf("must be a quantity, got %s", quoted(v))
		f.Suggestion = "Write a number, perhaps with a unit: 2, 250m, 64Mi"
	default:
		if !strfmt.Default.ContainsName(s.Format) || strfmt.Default.Validates(s.Format, v) {
			return
		}
		f.Message = fmt.Sprintf("must have the format %s, got %s", s.Format, quoted(v))
		if s.Format == "date-time" {
			f.Suggestion = "Write it like 2006-01-02T15:04:05Z"
		}
	}
	c.add(f)
}

// number reports a number out of bounds.
func (c *checker) number(s *spec.Schema, n float64, path string) {
	report := func(rule string, bound float64) {
		message := fmt.Sprintf("must be %s %s, got %s", rule, scalarText(bound), scalarText(n))
		c.add(Fault{Path: path, Kind: Bounds, Message: message})
	}
	if s.Minimum != nil && (n < *s.Minimum || s.ExclusiveMinimum && n == *s.Minimum) {
		report(choose(s.ExclusiveMinimum, "greater than", "at least"), *s.Minimum)
	}
	if s.Maximum != nil && (n > *s.Maximum || s.ExclusiveMaximum && n == *s.Maximum) {
		report(choose(s.ExclusiveMaximum, "less than", "at most"), *s.Maximum)
	}
	if s.MultipleOf != nil && *s.MultipleOf > 0 && !isMultiple(n, *s.MultipleOf) {
		report("a multiple of", *s.MultipleOf)
	}
	if s.Format == "int32" && (n < math.MinInt32 || n > math.MaxInt32) {
		message := fmt.Sprintf("must fit into 32 bits (%d to %d), got %s", math.MinInt32, math.MaxInt32, scalarText(n))
		c.add(Fault{Path: path, Kind: Bounds, Message: message})
	}
}

// isMultiple allows for the rounding of decimal fractions: 0.3 is a multiple of 0.1.
func isMultiple(n, of float64) bool {
	quotient := n / of
	return math.Abs(quotient-math.Round(quotient)) <= 1e-9*math.Max(1, math.Abs(quotient))
}

func choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// atLeast reports a size below a bound.
func (c *checker) atLeast(bound *int64, size int64, path, unit string) {
	if bound != nil && size < *bound {
		c.add(Fault{Path: path, Kind: Bounds, Message: fmt.Sprintf("must have at least %s, has %d", count(*bound, unit), size)})
	}
}

// atMost reports a size above a bound.
func (c *checker) atMost(bound *int64, size int64, path, unit string) {
	if bound != nil && size > *bound {
		c.add(Fault{Path: path, Kind: Bounds, Message: fmt.Sprintf("must have at most %s, has %d", count(*bound, unit), size)})
	}
}

func count(n int64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
