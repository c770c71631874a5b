package expr

import "slices"

var (
	scalarKinds     = []Kind{Bool, Int, Uint, Double, String, Bytes, Timestamp, Duration, IntOrString}
	collectionKinds = []Kind{List, Map, Object}
)

// cures tell how to make a value of one kind fit a field of another; the first that is for both is told.
var cures = []struct {
	fields, values []Kind
	text           string
}{
	{[]Kind{String, IntOrString}, []Kind{Bytes}, "Write string(…) for the text that the bytes are, or base64.encode(…) for their base64 form."},
	{[]Kind{Bytes}, scalarKinds, "Write bytes(string(…))."},
	{[]Kind{String}, collectionKinds, "Write json.marshal(…)."},
	{[]Kind{String}, scalarKinds, "Write string(…)."},
	{[]Kind{IntOrString}, []Kind{Double}, "Write int(…)."},
	{[]Kind{Int}, []Kind{Double, String, IntOrString}, "Write int(…)."},
	{[]Kind{Double}, []Kind{String, IntOrString}, "Write double(…)."},
	{[]Kind{Bool}, []Kind{String}, "Write bool(…), or compare."},
	{[]Kind{Bool}, scalarKinds, "Write a comparison."},
	{[]Kind{List}, append([]Kind{Other}, scalarKinds...), "Write a list: […]."},
}

// cure is what makes a value fit that is not accepted; empty where nothing plain does.
func (t *Type) cure(from *Type) string {
	if t.kind == String && from.kind == List && from.elem.kind == String {
		return `Write ….join(",").`
	}
	for _, c := range cures {
		if slices.Contains(c.fields, t.kind) && slices.Contains(c.values, from.kind) {
			return c.text
		}
	}
	return ""
}
