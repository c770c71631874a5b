package managedfields

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// entry is an entry of metadata.managedFields.
type entry struct {
	Manager     string          `json:"manager"`
	Operation   string          `json:"operation"`
	Subresource string          `json:"subresource"`
	FieldsV1    json.RawMessage `json:"fieldsV1"`
}

func (e entry) isApply() bool { return e.Operation == "Apply" && e.Subresource == "" }

func entriesOf(live map[string]any) []entry {
	metadata, _ := live["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	var out []entry
	for _, item := range list {
		data, err := json.Marshal(item)
		if err != nil {
			continue
		}
		var e entry
		if json.Unmarshal(data, &e) == nil {
			out = append(out, e)
		}
	}
	return out
}

// AppliedBy gives the fields that the manager has applied to an object and still owns; nil when it has no entry.
func AppliedBy(live map[string]any, manager string) *fieldpath.Set {
	for _, e := range entriesOf(live) {
		if e.Manager == manager && e.isApply() {
			return setOf(e.FieldsV1)
		}
	}
	return nil
}

func setOf(fieldsV1 []byte) *fieldpath.Set {
	set := &fieldpath.Set{}
	if err := set.FromJSON(bytes.NewReader(fieldsV1)); err != nil {
		return nil
	}
	return set
}

// IsScaled tells whether somebody has set spec.replicas through the scale subresource and holds it still.
func IsScaled(live map[string]any) bool {
	replicas := fieldpath.MakePathOrDie("spec", "replicas")
	return slices.ContainsFunc(entriesOf(live), func(e entry) bool {
		set := setOf(e.FieldsV1)
		return e.Subresource == "scale" && set != nil && set.Has(replicas)
	})
}

// Rivals gives the managers beside one whose entries own one of these fields, sorted; fields are as Lost gives them.
func Rivals(live map[string]any, manager string, fields []string) []string {
	var out []string
	for _, e := range entriesOf(live) {
		set := setOf(e.FieldsV1)
		if e.Manager == manager || set == nil || slices.Contains(out, e.Manager) {
			continue
		}
		for path := range set.All() {
			if slices.ContainsFunc(fields, func(f string) bool { return isAtOrBelow(path.String(), f) }) {
				out = append(out, e.Manager)
				break
			}
		}
	}
	slices.Sort(out)
	return out
}

func isAtOrBelow(path, field string) bool {
	rest, ok := strings.CutPrefix(path, field)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
