package managedfields

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// entriesOf gives the entries of metadata.managedFields that pass.
func entriesOf(live map[string]any, passes func(entry map[string]any) bool) []map[string]any {
	metadata, _ := live["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	var out []map[string]any
	for _, item := range list {
		if entry, ok := item.(map[string]any); ok && passes(entry) {
			out = append(out, entry)
		}
	}
	return out
}

// AppliedBy gives the fields that the manager has applied to an object and still owns; nil when it has no entry.
func AppliedBy(live map[string]any, manager string) Fields {
	isOwn := func(entry map[string]any) bool {
		return entry["manager"] == manager && entry["operation"] == "Apply" && (entry["subresource"] == nil || entry["subresource"] == "")
	}
	for _, entry := range entriesOf(live, isOwn) {
		if fields, ok := entry["fieldsV1"].(map[string]any); ok {
			return fields
		}
	}
	return nil
}

// setOf reads the fields of an entry as a set; nil when they cannot be read.
func setOf(entry map[string]any) *fieldpath.Set {
	data, err := json.Marshal(entry["fieldsV1"])
	if err != nil {
		return nil
	}
	set := &fieldpath.Set{}
	if err := set.FromJSON(bytes.NewReader(data)); err != nil {
		return nil
	}
	return set
}

// IsScaled tells whether somebody has set spec.replicas through the scale subresource and holds it still.
func IsScaled(live map[string]any) bool {
	isScale := func(entry map[string]any) bool { return entry["subresource"] == "scale" }
	return slices.ContainsFunc(entriesOf(live, isScale), func(entry map[string]any) bool {
		set := setOf(entry)
		return set != nil && set.Has(fieldpath.MakePathOrDie("spec", "replicas"))
	})
}

// Rivals gives the managers beside one whose entries own one of these fields, sorted; fields are as Lost gives them.
func Rivals(live map[string]any, manager string, fields []string) []string {
	var out []string
	isOther := func(entry map[string]any) bool { return entry["manager"] != manager }
	for _, entry := range entriesOf(live, isOther) {
		name, _ := entry["manager"].(string)
		set := setOf(entry)
		if set == nil || slices.Contains(out, name) {
			continue
		}
		for path := range set.All() {
			if slices.ContainsFunc(fields, func(f string) bool { return isAtOrBelow(path.String(), f) }) {
				out = append(out, name)
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
