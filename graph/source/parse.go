package source

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/plait-run/plait/graph/diag"
)

// Document is one object of a file.
type Document struct {
	File       string
	Root       *Value // a Map
	APIVersion string // empty when it is missing or no string; so are Kind and Name
	Kind       string
	Name       string // metadata.name
	Size       int    // of its text in bytes; zero for an object of the cluster
}

// NewDocument wraps a value that was read elsewhere, an object of the cluster.
func NewDocument(file string, root *Value) *Document {
	return &Document{
		File:       file,
		Root:       root,
		APIVersion: root.Get("apiVersion").Text(),
		Kind:       root.Get("kind").Text(),
		Name:       root.Get("metadata").Get("name").Text(),
	}
}

// Parse reads all documents of a text, YAML or JSON. Empty ones are left out; of broken ones the problems
// are reported, and the others are read all the same. A List counts as the objects that it holds. The file's name goes into the diagnostics.
func Parse(file string, data []byte) ([]*Document, diag.List) {
	var documents []*Document
	var problems diag.List
	for _, piece := range split(data) {
		b := &builder{file: file, lineOffset: piece.lineOffset}
		for _, root := range readPiece(b, piece.data) {
			if root.Kind == Null {
				continue
			}
			if root.Kind != Map {
				b.report(diag.WrongFieldType, "", root.Position, "a document must be a map of fields", "Start it with apiVersion and kind.")
				continue
			}
			document := NewDocument(file, root)
			document.Size = len(piece.data)
			documents = append(documents, unpack(document)...)
		}
		problems.Append(b.problems)
	}
	return documents, problems
}

type piece struct {
	data       []byte
	lineOffset int
}

// split cuts a text at its document markers. Lines before the first content (comments, directives) stay with
// the document that follows them.
func split(data []byte) []piece {
	var pieces []piece
	start, startLine, hasContent := 0, 0, false
	line := 0
	for offset := 0; offset < len(data); line++ {
		end := len(data)
		if i := bytes.IndexByte(data[offset:], '\n'); i >= 0 {
			end = offset + i + 1
		}
		text := data[offset:end]
		isMarker := isDocumentMarker(text)
		if isMarker && hasContent {
			pieces = append(pieces, piece{data: data[start:offset], lineOffset: startLine})
			start, startLine = offset, line
		}
		hasContent = isMarker || hasContent || hasYAMLContent(text)
		offset = end
	}
	return append(pieces, piece{data: data[start:], lineOffset: startLine})
}

func isDocumentMarker(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("---"))
	return ok && (len(rest) == 0 || strings.IndexByte(" \t\r\n", rest[0]) >= 0)
}

func hasYAMLContent(line []byte) bool {
	text := bytes.TrimSpace(line)
	return len(text) > 0 && text[0] != '#' && text[0] != '%'
}

func readPiece(b *builder, data []byte) []*Value {
	if values, ok := readJSON(b, data); ok {
		return values
	}
	b.problems = diag.List{}
	var roots []*Value
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var node yaml.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			return roots
		}
		if err != nil {
			b.reportSyntax(data, err)
			return roots
		}
		if len(node.Content) == 0 {
			continue
		}
		r := &yamlReader{builder: b, expanding: map[*yaml.Node]bool{}}
		roots = append(roots, r.value("", node.Content[0], 0))
	}
}
