package expr

import (
	"encoding/base64"
	"time"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

// NativeToValue makes a CEL value of JSON data that is of this structure. Data that is not what its schema says is
// taken as what it is; text that ought to be bytes, a time or a duration and is not, is an error when it is read.
func (s *structure) NativeToValue(data any) ref.Val {
	switch v := data.(type) {
	case ref.Val:
		return v
	case nil:
		return celtypes.NullValue
	case string:
		return s.textValue(v)
	case int64:
		if s.kind == Double {
			return celtypes.Double(v)
		}
		return celtypes.Int(v)
	case int:
		return s.NativeToValue(int64(v))
	case float64:
		if s.kind == Int && v == float64(int64(v)) {
			return celtypes.Int(int64(v))
		}
		return celtypes.Double(v)
	case bool:
		return celtypes.Bool(v)
	case map[string]any:
		return s.mapValue(v)
	case []any:
		if s.kind == List {
			return celtypes.NewDynamicList(s.elem, v)
		}
		return celtypes.NewDynamicList(primitives[Dynamic][0], v)
	}
	return celtypes.DefaultTypeAdapter.NativeToValue(data)
}

func (s *structure) mapValue(data map[string]any) ref.Val {
	switch s.kind {
	case Map:
		return celtypes.NewStringInterfaceMap(s.elem, data)
	case Object:
		return object{structure: s, data: data}
	default:
		return celtypes.NewStringInterfaceMap(primitives[Dynamic][0], data)
	}
}

func (s *structure) textValue(text string) ref.Val {
	switch s.kind {
	case Bytes:
		decoded, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return celtypes.NewErr("a value of format byte is no valid base64: %v", err)
		}
		return celtypes.Bytes(decoded)
	case Timestamp:
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return celtypes.NewErr("%q is no valid date-time", text)
		}
		return celtypes.Timestamp{Time: at}
	case Duration:
		length, err := strfmt.ParseDuration(text)
		if err != nil {
			return celtypes.NewErr("%q is no valid duration", text)
		}
		return celtypes.Duration{Duration: length}
	default:
		return celtypes.String(text)
	}
}
