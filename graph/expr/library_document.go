package expr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/google/cel-go/cel"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"sigs.k8s.io/yaml"
)

// documentFunctions are json and yaml. JSON is compact with sorted keys and no HTML escapes; YAML has sorted keys.
func documentFunctions() []cel.EnvOption {
	marshal := func(name, id string, encode func(any) ([]byte, error)) cel.EnvOption {
		return cel.Function(name, cel.Overload(id, []*cel.Type{cel.DynType}, cel.StringType,
			cel.UnaryBinding(func(value ref.Val) ref.Val { return encodeValue(name, value, encode) })))
	}
	unmarshal := func(name, id string, decode func([]byte) (any, error)) cel.EnvOption {
		return cel.Function(name, cel.Overload(id, []*cel.Type{cel.StringType}, cel.DynType,
			cel.UnaryBinding(func(value ref.Val) ref.Val { return decodeText(name, value, decode) })))
	}
	return []cel.EnvOption{
		marshal("json.marshal", "plait_json_marshal", encodeJSON),
		marshal("yaml.marshal", "plait_yaml_marshal", encodeYAML),
		unmarshal("json.unmarshal", "plait_json_unmarshal", decodeJSON),
		unmarshal("yaml.unmarshal", "plait_yaml_unmarshal", decodeYAML),
	}
}

func encodeValue(name string, value ref.Val, encode func(any) ([]byte, error)) ref.Val {
	plain, omitted, err := (&plainer{}).plain(value)
	if err == nil && omitted {
		err = errors.New("the value is absent")
	}
	if err != nil {
		return celtypes.NewErr("%s: %v", name, err)
	}
	text, err := encode(jsonForm(plain))
	if err != nil {
		return celtypes.NewErr("%s: %v", name, err)
	}
	return celtypes.String(text)
}

func decodeText(name string, value ref.Val, decode func([]byte) (any, error)) ref.Val {
	text, ok := value.(celtypes.String)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(value)
	}
	data, err := decode([]byte(text))
	if err != nil {
		return celtypes.NewErr("%s: %v", name, err)
	}
	return primitives[Dynamic][0].NativeToValue(data)
}

// jsonForm writes the values that JSON has no type for as Kubernetes does: times and durations as text. Bytes are
// base64 in encoding/json already.
func jsonForm(plain any) any {
	switch v := plain.(type) {
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case time.Duration:
		return v.String()
	case []any:
		for i, element := range v {
			v[i] = jsonForm(element)
		}
	case map[string]any:
		for key, entry := range v {
			v[key] = jsonForm(entry)
		}
	}
	return plain
}

func encodeJSON(data any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(data); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func encodeYAML(data any) ([]byte, error) {
	text, err := encodeJSON(data)
	if err != nil {
		return nil, err
	}
	return yaml.JSONToYAML(text)
}

func decodeYAML(text []byte) (any, error) {
	converted, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	return decodeJSON(converted)
}

// decodeJSON keeps integers integers.
func decodeJSON(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var data any
	if err := decoder.Decode(&data); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more text after the value")
	}
	return numbers(data)
}

func numbers(data any) (any, error) {
	var err error
	switch v := data.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
		f, err := v.Float64()
		if err != nil {
			return nil, fmt.Errorf("the number %s is too large", v)
		}
		return f, nil
	case []any:
		for i := range v {
			if v[i], err = numbers(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range v {
			if v[key], err = numbers(v[key]); err != nil {
				return nil, err
			}
		}
	}
	return data, nil
}
