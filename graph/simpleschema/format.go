package simpleschema

import (
	"slices"
	"strings"

	"github.com/plait-run/plait/graph/diag"
)

// formats are those that the API server checks, by type; it ignores all others.
var formats = map[shape][]string{
	stringShape: {
		"bsonobjectid", "byte", "cidr", "creditcard", "date", "date-time", "duration", "email", "hexcolor", "hostname",
		"ipv4", "ipv6", "isbn", "isbn10", "isbn13", "k8s-long-name", "k8s-short-name", "mac", "password", "rgbcolor", "ssn",
		"uri", "uuid", "uuid3", "uuid4", "uuid5",
	},
	integerShape: {"int32", "int64"},
	floatShape:   {"float", "double"},
}

func (m *marking) format(next marker) *fault {
	value, f := text(next)
	if f != nil {
		return f
	}
	known := formats[m.typ.shape]
	if slices.Contains(known, value) {
		m.typ.schema.Format = value
		return nil
	}
	suggestion := diag.DidYouMean(value, known)
	if suggestion == "" {
		suggestion = "Here are possible " + strings.Join(known, ", ") + "."
	}
	return markerFault("there is no format \""+cut(value)+"\" for this type", suggestion)
}
