package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

const (
	componentPrefix = "#/components/schemas/"
	kindKey         = "x-kubernetes-group-version-kind"
)

// reading are the methods whose operation names the kind of a path.
var reading = []string{"get", "patch", "put"}

// noise is what only people and old clients read in a schema.
var noise = []string{"description", "x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key", "x-kubernetes-unions"}

// document is an OpenAPI v3 document as far as kinds need it.
type document struct {
	OpenAPI    string                    `json:"openapi"`
	Paths      map[string]map[string]any `json:"paths"`
	Components struct {
		Schemas map[string]any `json:"schemas"`
	} `json:"components"`
}

// cutAll cuts every document, and leaves out those without kinds.
func cutAll(raw map[string][]byte) (map[string][]byte, error) {
	out := map[string][]byte{}
	for name, document := range raw {
		small, err := cut(name, document)
		if err != nil {
			return nil, err
		}
		if small != nil {
			out[name] = small
		}
	}
	return out, nil
}

// cut gives a document with the schemas that its kinds reach and the paths of single objects, as compact JSON with
// sorted keys. It gives nil for a document without kinds.
func cut(name string, raw []byte) ([]byte, error) {
	var in document
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, fmt.Errorf("reading document %q: %w", name, err)
	}
	out := document{OpenAPI: in.OpenAPI, Paths: objectPaths(in.Paths)}
	if len(out.Paths) == 0 {
		return nil, nil
	}
	out.Components.Schemas = map[string]any{}
	kinds := kindsOf(out.Paths)
	for component, s := range in.Components.Schemas {
		if isOf(s, kinds) {
			keep(in.Components.Schemas, out.Components.Schemas, component)
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("writing document %q: %w", name, err)
	}
	return b, nil
}

// objectPaths keeps the paths of single objects and their status and scale, each with one operation that names the
// kind.
func objectPaths(paths map[string]map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	for path, item := range paths {
		object := strings.TrimSuffix(strings.TrimSuffix(path, "/status"), "/scale")
		if !strings.HasSuffix(object, "/{name}") || strings.Contains(path, "/watch/") {
			continue
		}
		for _, method := range reading {
			operation, _ := item[method].(map[string]any)
			if kind, ok := operation[kindKey]; ok {
				out[path] = map[string]any{method: map[string]any{kindKey: kind}}
				break
			}
		}
	}
	return out
}

// kindsOf gives the kinds that paths name, as group/version/kind.
func kindsOf(paths map[string]map[string]any) map[string]bool {
	out := map[string]bool{}
	for path, item := range paths {
		if !strings.HasSuffix(path, "/{name}") {
			continue
		}
		for _, operation := range item {
			if fields, ok := operation.(map[string]any); ok {
				out[kindText(fields[kindKey])] = true
			}
		}
	}
	return out
}

func kindText(kind any) string {
	m, _ := kind.(map[string]any)
	return fmt.Sprint(m["group"], "/", m["version"], "/", m["kind"])
}

// isOf tells whether a schema says that it is of one of the kinds.
func isOf(s any, kinds map[string]bool) bool {
	m, _ := s.(map[string]any)
	tags, _ := m[kindKey].([]any)
	for _, tag := range tags {
		if kinds[kindText(tag)] {
			return true
		}
	}
	return false
}

// keep moves a schema and what it refers to from one set to another.
func keep(from, to map[string]any, component string) {
	if _, done := to[component]; done {
		return
	}
	s, ok := from[component]
	if !ok {
		return
	}
	to[component] = s
	strip(s)
	walk(s, func(ref string) { keep(from, to, strings.TrimPrefix(ref, componentPrefix)) })
}

// strip removes noise from a schema and all that it holds. A property named like noise is a schema, not a text, and
// stays.
func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range noise {
			if _, isSchema := v[key].(map[string]any); !isSchema {
				delete(v, key)
			}
		}
		for _, child := range v {
			strip(child)
		}
	case []any:
		for _, child := range v {
			strip(child)
		}
	}
}

// walk calls see with every reference below v.
func walk(v any, see func(ref string)) {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			see(ref)
		}
		for _, child := range v {
			walk(child, see)
		}
	case []any:
		for _, child := range v {
			walk(child, see)
		}
	}
}
