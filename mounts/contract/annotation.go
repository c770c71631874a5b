package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
)

// annotation is the value of experimental.tenancy.kcp.io/mount, which must be an object:
// {"spec":{"ref":{…}},"status":{"phase","url"}}. What else is in it is kept.
type annotation struct {
	tree      map[string]any
	Reference Reference
	Phase     Phase
	URL       string
}

// parseAnnotation reads the value; fault is a sentence that says where it is wrong.
func parseAnnotation(value string) (a annotation, fault string) {
	var tree any
	decoder := json.NewDecoder(strings.NewReader(value))
	decoder.UseNumber() // so that a number that is written back is the same
	if err := decoder.Decode(&tree); err != nil {
		return annotation{}, jsonFault(err, len(value))
	}
	if rest := strings.TrimLeft(value[decoder.InputOffset():], " \t\r\n"); rest != "" {
		return annotation{}, fmt.Sprintf("there is more after the object, at byte %d", len(value)-len(rest)+1)
	}
	var ok bool
	if a.tree, ok = tree.(map[string]any); !ok {
		return annotation{}, fmt.Sprintf("it is %s, not an object", shape(tree))
	}
	return a, a.fill()
}

// jsonFault says where text is no JSON; bytes count from 1.
func jsonFault(err error, length int) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("it is no JSON at byte %d of %d: %s", syntax.Offset, length, Cut(syntax.Error()))
	}
	return fmt.Sprintf("it is no JSON: it ends too early, at byte %d", length)
}

func (a *annotation) fill() (fault string) {
	spec, fault := mapAt(a.tree, "spec")
	if fault != "" {
		return "spec is " + fault
	}
	ref, fault := mapAt(spec, "ref")
	switch {
	case fault != "":
		return "spec.ref is " + fault
	case ref == nil:
		return "spec.ref is missing"
	}
	if a.Reference, fault = readReference(ref); fault != "" {
		return "spec.ref." + fault
	}
	status, fault := mapAt(a.tree, "status")
	if fault != "" {
		return "status is " + fault
	}
	phase, _ := textAt(status, "phase") // of other shapes it is replaced
	a.Phase = Phase(phase)
	a.URL, _ = textAt(status, "url")
	return ""
}

// with gives the value with another status, and whether that differs.
func (a annotation) with(phase Phase, url string) (value string, differs bool, err error) {
	if phase == a.Phase && url == a.URL {
		return "", false, nil
	}
	tree := maps.Clone(a.tree)
	status, _ := mapAt(tree, "status")
	status = maps.Clone(status)
	if status == nil {
		status = map[string]any{}
	}
	status["phase"] = string(phase)
	if url != "" {
		status["url"] = url
	}
	tree["status"] = status
	data, err := json.Marshal(tree)
	if err != nil {
		return "", false, fmt.Errorf("writing the annotation of the mount: %w", err)
	}
	return string(data), true, nil
}

// readReference reads the fields of a reference; fault begins with the field's name.
func readReference(ref map[string]any) (r Reference, fault string) {
	for _, f := range []struct {
		name string
		into *string
	}{{"apiVersion", &r.APIVersion}, {"kind", &r.Kind}, {"name", &r.Name}, {"namespace", &r.Namespace}} {
		if *f.into, fault = textAt(ref, f.name); fault != "" {
			return Reference{}, f.name + " is " + fault
		}
	}
	return r, ""
}
