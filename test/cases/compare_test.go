package cases

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"testing"
)

// subset compares got with want: maps may have more keys, lists must match item by item, scalars by type and
// value as JSON has them (whole numbers are numbers).
func subset(path string, want, got any) []string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: expected a map, got %#v", path, got)}
		}
		var faults []string
		for key, value := range w {
			item, present := g[key]
			if !present {
				faults = append(faults, fmt.Sprintf("%s.%s: expected %#v, got nothing", path, key, value))
				continue
			}
			faults = append(faults, subset(path+"."+key, value, item)...)
		}
		return faults
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return []string{fmt.Sprintf("%s: expected %#v, got %#v", path, want, got)}
		}
		var faults []string
		for i := range w {
			faults = append(faults, subset(fmt.Sprintf("%s[%d]", path, i), w[i], g[i])...)
		}
		return faults
	default:
		if a, b := plainJSON(want), plainJSON(got); !reflect.DeepEqual(a, b) {
			return []string{fmt.Sprintf("%s: expected %#v, got %#v", path, want, got)}
		}
		return nil
	}
}

// plainJSON is the value as it comes out of JSON.
func plainJSON(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		return err
	}
	return out
}

var pathStep = regexp.MustCompile(`([^.\[\]]+)|\[(\d+)\]`)

// lookup tells whether a path exists.
func lookup(object any, path string) bool {
	for _, step := range pathStep.FindAllStringSubmatch(path, -1) {
		switch {
		case step[1] != "":
			m, ok := object.(map[string]any)
			if !ok {
				return false
			}
			if object, ok = m[step[1]]; !ok {
				return false
			}
		default:
			list, ok := object.([]any)
			index, err := strconv.Atoi(step[2])
			if !ok || err != nil || index >= len(list) {
				return false
			}
			object = list[index]
		}
	}
	return true
}

func TestSubset(t *testing.T) {
	want := map[string]any{"a": int64(1), "l": []any{"x"}}
	for _, row := range []struct {
		got  any
		same bool
	}{
		{map[string]any{"a": float64(1), "l": []any{"x"}, "more": true}, true},
		{map[string]any{"a": "1", "l": []any{"x"}}, false},
		{map[string]any{"a": int64(1), "l": []any{"x", "y"}}, false},
		{map[string]any{"l": []any{"x"}}, false},
		{nil, false},
	} {
		if faults := subset("", want, row.got); (len(faults) == 0) != row.same {
			t.Errorf("subset of %#v: %v", row.got, faults)
		}
	}
}
