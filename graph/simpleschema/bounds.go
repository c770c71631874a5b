package simpleschema

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// checkBounds refuses limits that no value can keep. The API server takes them, and then refuses every instance.
func checkBounds(s *apiextensionsv1.JSONSchemaProps) *fault {
	for _, pair := range []struct {
		low, high string
		min, max  *int64
	}{
		{"minLength", "maxLength", s.MinLength, s.MaxLength},
		{"minItems", "maxItems", s.MinItems, s.MaxItems},
		{"minProperties", "maxProperties", s.MinProperties, s.MaxProperties},
	} {
		if pair.min != nil && pair.max != nil && *pair.min > *pair.max {
			return noValueFits(fmt.Sprintf("%s=%d is above %s=%d", pair.low, *pair.min, pair.high, *pair.max))
		}
	}
	if s.Minimum == nil || s.Maximum == nil {
		return nil
	}
	low, high := boundName("minimum", "exclusiveMinimum", s.ExclusiveMinimum), boundName("maximum", "exclusiveMaximum", s.ExclusiveMaximum)
	switch {
	case *s.Minimum > *s.Maximum:
		return noValueFits(fmt.Sprintf("%s=%v is above %s=%v", low, *s.Minimum, high, *s.Maximum))
	case *s.Minimum == *s.Maximum && (s.ExclusiveMinimum || s.ExclusiveMaximum):
		return noValueFits(fmt.Sprintf("%s=%v leaves nothing below %s=%v", low, *s.Minimum, high, *s.Maximum))
	}
	return nil
}

func noValueFits(why string) *fault {
	return markerFault("no value can keep both limits: "+why, "Exchange or widen them.")
}

func boundName(inclusive, exclusive string, isExclusive bool) string {
	if isExclusive {
		return exclusive
	}
	return inclusive
}
