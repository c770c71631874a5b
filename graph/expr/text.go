package expr

import (
	"math"
	"strconv"
	"strings"
	"time"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// writeText writes a value as a part of text.
func (e *expression) writeText(text *strings.Builder, value ref.Val) *EvaluationError {
	switch v := value.(type) {
	case celtypes.String:
		text.WriteString(string(v))
	case celtypes.Bool:
		text.WriteString(strconv.FormatBool(bool(v)))
	case celtypes.Int:
		text.WriteString(strconv.FormatInt(int64(v), 10))
	case celtypes.Uint:
		text.WriteString(strconv.FormatUint(uint64(v), 10))
	case celtypes.Double:
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return e.failure("%v is no number that can stand in text", v)
		}
		text.WriteString(strconv.FormatFloat(float64(v), 'f', -1, 64))
	case celtypes.Timestamp:
		text.WriteString(v.Time.UTC().Format(time.RFC3339Nano))
	case celtypes.Duration:
		text.WriteString(v.Duration.String())
	case *celtypes.Optional:
		if v.HasValue() {
			return e.writeText(text, v.GetValue())
		}
		return e.failure("the value is absent, and text cannot leave it out; write orValue(…)")
	default:
		return e.failure("a %s has no text form; write %s", typeName(value), textCure(kindOf(value)))
	}
	if text.Len() > maxResultBytes {
		return e.failure("%s", errTooLarge)
	}
	return nil
}

// kindOf is the kind of a value without a text form.
func kindOf(value ref.Val) Kind { return fromCEL(celTypeOf(value)).kind }

func celTypeOf(value ref.Val) *celtypes.Type {
	t, ok := value.Type().(*celtypes.Type)
	if !ok {
		return celtypes.DynType
	}
	return t
}

// textCure is what to write around a value that has no text form.
func textCure(kind Kind) string {
	switch kind {
	case List:
		return `a join, as in list.join(","), or json.marshal(…)`
	case Map, Object:
		return "json.marshal(…)"
	case Bytes:
		return "string(…) for the text that the bytes are, or base64.encode(…)"
	case Optional:
		return "orValue(…) with what stands for a value that is absent"
	case Null:
		return `"" or another text`
	default:
		return "string(…)"
	}
}
