package contract

import "fmt"

// textAt gives a text of a map; an absent one is empty. fault says what stands there instead.
func textAt(m map[string]any, key string) (text, fault string) {
	value, ok := m[key]
	if !ok || value == nil {
		return "", ""
	}
	text, ok = value.(string)
	if !ok {
		return "", fmt.Sprintf("%s, not text", shape(value))
	}
	return text, ""
}

// mapAt gives a map of a map; an absent one is nil. fault says what stands there instead.
func mapAt(m map[string]any, key string) (below map[string]any, fault string) {
	value, ok := m[key]
	if !ok || value == nil {
		return nil, ""
	}
	below, ok = value.(map[string]any)
	if !ok {
		return nil, fmt.Sprintf("%s, not an object", shape(value))
	}
	return below, ""
}

// shape is what people call a JSON value.
func shape(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "text"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	default:
		return "a number"
	}
}
