package crd

import (
	"math"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// values compares which values a field takes: enum, pattern, format, null.
func (d *differ) values(path string, old, wanted *apiextensionsv1.JSONSchemaProps) {
	switch gone := missingItems(old.Enum, wanted.Enum); {
	case len(old.Enum) == 0 && len(wanted.Enum) > 0:
		d.add(path, "only some values are possible now: %s", strings.Join(jsonTexts(wanted.Enum), ", "))
	case len(wanted.Enum) > 0 && len(gone) > 0:
		d.add(path, "the enum lost %s", strings.Join(gone, ", "))
	}
	if wanted.Pattern != "" && wanted.Pattern != old.Pattern {
		d.add(path, "the pattern is now %s", wanted.Pattern)
	}
	isWider := old.Format == "int32" && wanted.Format == "int64"
	if wanted.Format != "" && wanted.Format != old.Format && !isWider {
		d.add(path, "the format is now %s", wanted.Format)
	}
	if old.Nullable && !wanted.Nullable {
		d.add(path, "it cannot be null any more")
	}
	if wanted.UniqueItems && !old.UniqueItems {
		d.add(path, "the elements must be unique now")
	}
}

// missingItems gives what stands in old only.
func missingItems(old, wanted []apiextensionsv1.JSON) []string {
	var out []string
	for _, item := range old {
		if !slices.ContainsFunc(wanted, func(w apiextensionsv1.JSON) bool { return sameJSON(w, item) }) {
			out = append(out, string(item.Raw))
		}
	}
	return out
}

func jsonTexts(items []apiextensionsv1.JSON) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = string(item.Raw)
	}
	return out
}

// bounds compares limits of numbers and sizes. Looser ones break nothing.
func (d *differ) bounds(path string, old, wanted *apiextensionsv1.JSONSchemaProps) {
	for _, b := range []struct {
		name        string
		old, wanted *int64
		isLower     bool
	}{
		{"minLength", old.MinLength, wanted.MinLength, true},
		{"minItems", old.MinItems, wanted.MinItems, true},
		{"minProperties", old.MinProperties, wanted.MinProperties, true},
		{"maxLength", old.MaxLength, wanted.MaxLength, false},
		{"maxItems", old.MaxItems, wanted.MaxItems, false},
		{"maxProperties", old.MaxProperties, wanted.MaxProperties, false},
	} {
		if b.wanted == nil || b.isLower && *b.wanted == 0 {
			continue
		}
		if isTighter(b.old, *b.wanted, b.isLower) {
			d.add(path, "%s is now %d", b.name, *b.wanted)
		}
	}
	d.numberBound(path, limit{old.Minimum, old.ExclusiveMinimum}, limit{wanted.Minimum, wanted.ExclusiveMinimum}, true)
	d.numberBound(path, limit{old.Maximum, old.ExclusiveMaximum}, limit{wanted.Maximum, wanted.ExclusiveMaximum}, false)
	if step := wanted.MultipleOf; step != nil && (old.MultipleOf == nil || math.Mod(*old.MultipleOf, *step) != 0) {
		d.add(path, "it must be a multiple of %s now", plainNumber(*step))
	}
}

// limit is a minimum or maximum of a number.
type limit struct {
	value       *float64
	isExclusive bool
}

func (d *differ) numberBound(path string, old, wanted limit, isLower bool) {
	if wanted.value == nil {
		return
	}
	isSame := old.value != nil && *old.value == *wanted.value
	losesItself := isSame && wanted.isExclusive && !old.isExclusive
	if !isTighter(old.value, *wanted.value, isLower) && !losesItself {
		return
	}
	name, exclusive := "maximum", ""
	if isLower {
		name = "minimum"
	}
	if wanted.isExclusive {
		exclusive = ", exclusive"
	}
	d.add(path, "the %s is now %s%s", name, plainNumber(*wanted.value), exclusive)
}

// isTighter tells whether a bound leaves out what the old one, if there was one, let in.
func isTighter[N int64 | float64](old *N, wanted N, isLower bool) bool {
	return old == nil || isLower && wanted > *old || !isLower && wanted < *old
}

func plainNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
