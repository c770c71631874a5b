package rbac

import (
	"bytes"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// lineLength is how long the lines of comments are.
const lineLength = 100

// YAML is the documents as text, each with its notes as a comment.
func YAML(documents []Document) ([]byte, error) {
	var b bytes.Buffer
	for i, d := range documents {
		if i > 0 {
			b.WriteString("---\n")
		}
		for _, note := range d.Notes {
			b.WriteString(comment(note))
		}
		data, err := yaml.Marshal(d.Object)
		if err != nil {
			return nil, fmt.Errorf("writing a role: %w", err)
		}
		b.Write(data)
	}
	return b.Bytes(), nil
}

// List is the documents as one object that can be applied.
func List(documents []Document) map[string]any {
	items := []any{}
	for _, d := range documents {
		items = append(items, d.Object)
	}
	return map[string]any{"apiVersion": "v1", "kind": "List", "items": items}
}

func comment(text string) string {
	var b strings.Builder
	line := "#"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > lineLength {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}
