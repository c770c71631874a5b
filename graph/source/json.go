package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/plait-run/plait/graph/diag"
)

// jsonReader reads JSON with positions. It gives up on the first fault: the text is then read as YAML, which
// JSON is a part of, and the YAML reader reports.
type jsonReader struct {
	*builder
	data    []byte
	decoder *json.Decoder
	lines   lineCounter
}

// readJSON gives the values of a stream of JSON objects; false when the text is no JSON.
func readJSON(b *builder, data []byte) ([]*Value, bool) {
	if start := bytes.TrimLeft(data, " \t\r\n"); len(start) == 0 || start[0] != '{' {
		return nil, false
	}
	r := &jsonReader{builder: b, data: data, decoder: json.NewDecoder(bytes.NewReader(data)), lines: lineCounter{data: data}}
	r.decoder.UseNumber()
	var out []*Value
	for {
		value, err := r.value("", 0)
		if errors.Is(err, io.EOF) {
			return out, true
		}
		if err != nil {
			return nil, false
		}
		out = append(out, value)
	}
}

// next gives the next token and where it starts.
func (r *jsonReader) next() (json.Token, diag.Position, error) {
	start := int(r.decoder.InputOffset())
	for start < len(r.data) && bytes.IndexByte([]byte(" \t\r\n,:"), r.data[start]) >= 0 {
		start++
	}
	token, err := r.decoder.Token()
	position := r.lines.position(start)
	position.Line += r.lineOffset
	return token, position, err
}

func (r *jsonReader) value(path string, depth int) (*Value, error) {
	token, position, err := r.next()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return r.object(&Value{Kind: Map, Path: path, Position: position}, depth)
	case json.Delim('['):
		return r.list(&Value{Kind: List, Path: path, Position: position}, depth)
	}
	if delim, ok := token.(json.Delim); ok {
		return nil, errors.New("unexpected " + delim.String())
	}
	kind, scalar := plainScalar(token)
	return &Value{Kind: kind, Path: path, Position: position, Scalar: scalar}, nil
}

func (r *jsonReader) object(v *Value, depth int) (*Value, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	fields := newFieldSet(r.builder, v)
	for r.decoder.More() {
		token, position, err := r.next()
		if err != nil {
			return nil, err
		}
		key, _ := token.(string)
		value, err := r.value(JoinKey(v.Path, key), depth+1)
		if err != nil {
			return nil, unexpectedEnd(err)
		}
		fields.add(Field{Key: key, KeyPosition: position, Value: value}, false)
	}
	_, err := r.decoder.Token()
	return v, unexpectedEnd(err)
}

func (r *jsonReader) list(v *Value, depth int) (*Value, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	for r.decoder.More() {
		item, err := r.value(JoinIndex(v.Path, len(v.Items)), depth+1)
		if err != nil {
			return nil, unexpectedEnd(err)
		}
		v.Items = append(v.Items, item)
	}
	_, err := r.decoder.Token()
	return v, unexpectedEnd(err)
}

// unexpectedEnd keeps the end of the text inside a document from looking like the end of the stream.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func jsonNumber(text string) (Kind, any) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Int, i
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return String, text
	}
	return Float, f
}

// lineCounter gives lines and columns of growing offsets.
type lineCounter struct {
	data        []byte
	offset      int
	line, start int
}

func (c *lineCounter) position(offset int) diag.Position {
	for ; c.offset < offset; c.offset++ {
		if c.data[c.offset] == '\n' {
			c.line++
			c.start = c.offset + 1
		}
	}
	return diag.Position{Line: c.line + 1, Column: utf8.RuneCount(c.data[c.start:offset]) + 1}
}
