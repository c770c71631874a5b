package source

import (
	"encoding/base64"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	errNotFinite = errors.New("infinities and not-a-number have no JSON form")
	errBinary    = errors.New("text tagged !!binary is not base64")
	errTag       = errors.New("the value does not fit its tag")
)

// words are the plain scalars that YAML 1.1 reads as something else than text.
var words = map[string]any{
	"": nil, "~": nil, "null": nil, "Null": nil, "NULL": nil,
	"y": true, "Y": true, "yes": true, "Yes": true, "YES": true,
	"true": true, "True": true, "TRUE": true, "on": true, "On": true, "ON": true,
	"n": false, "N": false, "no": false, "No": false, "NO": false,
	"false": false, "False": false, "FALSE": false, "off": false, "Off": false, "OFF": false,
	".nan": math.NaN(), ".NaN": math.NaN(), ".NAN": math.NaN(),
	".inf": math.Inf(1), ".Inf": math.Inf(1), ".INF": math.Inf(1),
	"+.inf": math.Inf(1), "+.Inf": math.Inf(1), "+.INF": math.Inf(1),
	"-.inf": math.Inf(-1), "-.Inf": math.Inf(-1), "-.INF": math.Inf(-1),
}

var floatForm = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// resolve types a plain scalar as sigs.k8s.io/yaml does: nil, bool, int64, uint64, float64 or string.
func resolve(text string) any {
	if word, ok := words[text]; ok {
		return word
	}
	switch c := text[0]; {
	case c == '.':
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	case c == '+' || c == '-' || '0' <= c && c <= '9':
		if !isTimestamp(text) {
			return resolveNumber(text)
		}
	}
	return text
}

func resolveNumber(text string) any {
	digits := strings.ReplaceAll(text, "_", "")
	if i, err := strconv.ParseInt(digits, 0, 64); err == nil {
		return i
	}
	if u, err := strconv.ParseUint(digits, 0, 64); err == nil {
		return u
	}
	if !floatForm.MatchString(digits) {
		return text
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return text
	}
	return f
}

// isTimestamp tells whether YAML 1.1 takes the text for a date; Kubernetes keeps such text as a string.
func isTimestamp(text string) bool {
	digits := 0
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	if digits != 4 || digits == len(text) || text[digits] != '-' {
		return false
	}
	for _, layout := range []string{
		"2006-1-2T15:4:5.999999999Z07:00", "2006-1-2t15:4:5.999999999Z07:00", "2006-1-2 15:4:5.999999999", "2006-1-2",
	} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}

// resolveTagged types a scalar that carries an explicit tag, quoted or not.
func resolveTagged(tag, text string) (any, error) {
	switch tag {
	case "!!binary":
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, errBinary
		}
		return string(data), nil
	case "!!bool", "!!int", "!!float", "!!null", "!!timestamp":
	default:
		return text, nil
	}
	value := resolve(text)
	switch value.(type) {
	case nil:
		return value, tagFits(tag == "!!null")
	case bool:
		return value, tagFits(tag == "!!bool")
	case int64:
		return value, tagFits(tag == "!!int" || tag == "!!float")
	case uint64:
		return value, tagFits(tag == "!!int")
	case float64:
		return value, tagFits(tag == "!!float")
	default:
		return value, tagFits(tag == "!!timestamp" && isTimestamp(text))
	}
}

func tagFits(fits bool) error {
	if fits {
		return nil
	}
	return errTag
}

// scalarOf turns a resolved value into what comes out of JSON: whole floats are integers there, and integers
// beyond 64 bits are floats.
func scalarOf(resolved any) (Kind, any, error) {
	switch typed := resolved.(type) {
	case uint64:
		return Float, float64(typed), nil
	case float64:
		if math.IsInf(typed, 0) || math.IsNaN(typed) {
			return Null, nil, errNotFinite
		}
		if i, err := strconv.ParseInt(strconv.FormatFloat(typed, 'f', -1, 64), 10, 64); err == nil {
			return Int, i, nil
		}
		return Float, typed, nil
	default:
		kind, scalar := plainScalar(resolved)
		return kind, scalar, nil
	}
}

// keyOf gives the text of a resolved map key; false for keys that have none.
func keyOf(resolved any) (string, bool) {
	switch typed := resolved.(type) {
	case string:
		return typed, true
	case bool:
		return strconv.FormatBool(typed), true
	case int64:
		return strconv.FormatInt(typed, 10), true
	case float64:
		switch text := strconv.FormatFloat(typed, 'g', -1, 32); text {
		case "+Inf":
			return ".inf", true
		case "-Inf":
			return "-.inf", true
		case "NaN":
			return ".nan", true
		default:
			return text, true
		}
	default:
		return "", false
	}
}
