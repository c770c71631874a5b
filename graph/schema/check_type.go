package schema

import (
	"fmt"
	"math"
	"strconv"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// takesType reports a value of another type than the schema takes.
func (c *checker) takesType(s *spec.Schema, v any, path string) bool {
	expected := expectedType(s)
	if expected == "" || fitsType(expected, v) {
		return true
	}
	c.add(Fault{
		Path: path, Kind: WrongType, Expected: expected,
		Message:    fmt.Sprintf("expects %s, got %s", expected, nameOf(v)),
		Suggestion: otherSpelling(expected, v),
	})
	return false
}

// The words for types, as people read them.
const (
	wordInt         = "int"
	wordNumber      = "number"
	wordString      = "string"
	wordBool        = "bool"
	wordList        = "list"
	wordMap         = "map"
	wordObject      = "object"
	wordIntOrString = "int or string"
	wordQuantity    = "quantity"
)

// expectedType is the word for the type that a schema takes; empty when it takes any.
func expectedType(s *spec.Schema) string {
	switch {
	case isTrue(*s, extIntOrString) && s.Format == formatQuantity:
		return wordQuantity
	case isTrue(*s, extIntOrString):
		return wordIntOrString
	case len(s.Type) != 1:
		return ""
	case s.Type[0] == "object" && len(s.Properties) > 0:
		return wordObject
	}
	return map[string]string{
		"integer": wordInt, "number": wordNumber, "string": wordString,
		"boolean": wordBool, "array": wordList, "object": wordMap,
	}[s.Type[0]]
}

func fitsType(expected string, v any) bool {
	n, isNumber := numberOf(v)
	switch v.(type) {
	case string:
		return expected == wordString || expected == wordIntOrString || expected == wordQuantity
	case bool:
		return expected == wordBool
	case []any:
		return expected == wordList
	case map[string]any, Map:
		return expected == wordMap || expected == wordObject
	}
	switch expected {
	case wordNumber, wordQuantity:
		return isNumber
	case wordInt, wordIntOrString:
		return isNumber && n == math.Trunc(n)
	default:
		return false
	}
}

func numberOf(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case int:
		return float64(v), true
	case float64:
		return v, true
	default:
		return 0, false
	}
}

// otherSpelling is a cure for a scalar with quotes too many or too few.
func otherSpelling(expected string, v any) string {
	text, isText := v.(string)
	switch {
	case isText && expected == wordInt:
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return ""
		}
	case isText && expected == wordNumber:
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return ""
		}
	case isText && expected == wordBool:
		if text != "true" && text != "false" {
			return ""
		}
	case !isText && isScalar(v) && (expected == wordString || expected == wordIntOrString):
		return fmt.Sprintf("Write it in quotes: %q", scalarText(v))
	default:
		return ""
	}
	return "Write it without quotes: " + text
}

func isScalar(v any) bool {
	_, isBool := v.(bool)
	_, isNumber := numberOf(v)
	return isBool || isNumber
}

func scalarText(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// nameOf names a value for people.
func nameOf(v any) string {
	switch v := v.(type) {
	case string:
		return "the string " + quoted(v)
	case bool:
		return "the bool " + scalarText(v)
	case float64:
		return "the number " + scalarText(v)
	case []any:
		return "a list"
	case map[string]any, Map:
		return "a map"
	default:
		return "the int " + scalarText(v)
	}
}

// maxQuoted is how many letters of a value are shown.
const maxQuoted = 64

func quoted(text string) string {
	if letters := []rune(text); len(letters) > maxQuoted {
		return strconv.Quote(string(letters[:maxQuoted])) + "…"
	}
	return strconv.Quote(text)
}
