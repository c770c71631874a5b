package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"
)

// What a document of kro is called, and what it becomes.
const (
	kroGroup        = "kro.run"
	plaitAPIVersion = "plait.run/v1alpha1"
	plaitKind       = "ResourceGroup"
)

// kroKinds are the kinds that are converted; the second is what the first was called once.
var kroKinds = []string{"ResourceGraphDefinition", "ResourceGroup"}

// Document is one document of a result.
type Document struct {
	Name      string // metadata.name
	Converted bool   // false: it is no definition of kro, and stays as it was
	Notes     []Note
	root      *yaml.Node
}

// Convert converts the definitions among the documents of a file, and leaves all others as they are. Lists, as
// `kubectl get -o yaml` writes them, are taken apart. The error is the YAML parser's, or tells of definitions without a schema;
// the documents are all others then, as far as they could be read.
func Convert(file string, data []byte) ([]Document, error) {
	var out []Document
	var faults []error
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		err := decoder.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return out, errors.Join(faults...)
		}
		if err != nil {
			return out, errors.Join(append(faults, fmt.Errorf("reading %q: %w", file, err))...)
		}
		if len(doc.Content) == 0 {
			continue
		}
		root := doc.Content[0]
		root.HeadComment = joinComments(doc.HeadComment, root.HeadComment)
		root.FootComment = joinComments(root.FootComment, doc.FootComment)
		roots := []*yaml.Node{root}
		if text(get(root, "kind")) == "List" {
			roots = items(get(root, "items"))
		}
		for _, root := range roots {
			document, err := convertDocument(file, root)
			if err != nil {
				faults = append(faults, err)
				continue
			}
			out = append(out, document)
		}
	}
}

func joinComments(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return strings.Join(parts, "\n\n")
}

func convertDocument(file string, root *yaml.Node) (Document, error) {
	c := &conversion{
		file: file, name: text(get(root, "metadata", "name")),
		renames: map[string]string{}, secrets: map[string]bool{}, done: map[*yaml.Node]bool{},
	}
	kind := text(get(root, "kind"))
	group, _, _ := strings.Cut(text(get(root, "apiVersion")), "/")
	isKro := group == kroGroup && slices.Contains(kroKinds, kind)
	if isKro {
		if len(fields(get(root, "spec", "schema"))) == 0 {
			return Document{}, fmt.Errorf("%s:%d:%d: the %s %q cannot be converted: it has no spec.schema, which would say what kind it defines",
				file, root.Line, root.Column, kind, c.name)
		}
		c.document(root)
	}
	return Document{Name: c.name, Converted: isKro, Notes: c.notes, root: root}, nil
}

// YAML is the document as text, with its notes as a comment above it.
func (d Document) YAML() ([]byte, error) {
	data, err := d.encoded()
	if err != nil || len(d.Notes) == 0 {
		return data, err
	}
	above := comment(d.Name, d.Notes) + "\n"
	if bytes.HasPrefix(data, []byte("#")) {
		above += "\n"
	}
	return append([]byte(above), data...), nil
}

func (d Document) encoded() ([]byte, error) {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if hasCompactLists(d.root) {
		encoder.CompactSeqIndent()
	}
	if err := encoder.Encode(d.root); err != nil {
		return nil, fmt.Errorf("writing the document %q: %w", d.Name, err)
	}
	if err := encoder.Close(); err != nil {
		return nil, fmt.Errorf("writing the document %q: %w", d.Name, err)
	}
	return b.Bytes(), nil
}

// JSON is the document as data, without comments.
func (d Document) JSON() ([]byte, error) {
	data, err := d.encoded()
	if err != nil {
		return nil, err
	}
	data, err = sigsyaml.YAMLToJSON(data)
	if err != nil {
		return nil, fmt.Errorf("writing the document %q: %w", d.Name, err)
	}
	return data, nil
}

// hasCompactLists tells whether the author writes the dashes of lists below the key, and not further to the right.
func hasCompactLists(n *yaml.Node) bool {
	for _, f := range fields(n) {
		if f.value.Kind == yaml.SequenceNode && f.value.Style&yaml.FlowStyle == 0 {
			return f.value.Column == f.key.Column
		}
	}
	return slices.ContainsFunc(n.Content, hasCompactLists)
}
