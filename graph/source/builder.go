package source

import (
	"errors"

	"github.com/plait-run/plait/graph/diag"
)

// maxDepth is how deeply values may be nested; maxExpanded how many values the aliases of one document may
// make. Both are far beyond what an API server stores.
const (
	maxDepth    = 500
	maxExpanded = 100_000
)

var errTooDeep = errors.New("nested too deeply")

// builder is what the readers of one piece of text share.
type builder struct {
	file       string
	lineOffset int // lines before this piece
	problems   diag.List
}

func (b *builder) report(code diag.Code, path string, position diag.Position, summary, suggestion string) {
	b.problems.Add(diag.Diagnostic{
		File: b.file, Path: path, Position: position, Code: code, Summary: summary, Suggestion: suggestion,
	})
}

// warn reports what is no error, and most likely not what is meant.
func (b *builder) warn(code diag.Code, path string, position diag.Position, summary, suggestion string) {
	b.problems.Add(diag.Diagnostic{
		File: b.file, Path: path, Position: position, Code: code, Severity: diag.Warning, Summary: summary, Suggestion: suggestion,
	})
}

// fieldSet adds fields to a map and finds keys that stand twice.
type fieldSet struct {
	builder *builder
	value   *Value
	index   map[string]int  // into value.Fields
	merged  map[string]bool // keys that came by a merge key, and may be written over
}

func newFieldSet(b *builder, v *Value) *fieldSet {
	return &fieldSet{builder: b, value: v, index: map[string]int{}}
}

// add takes a field; merged ones write over what stands before them, as in YAML 1.1. Of a key that stands
// twice the first one stays.
func (s *fieldSet) add(f Field, merged bool) {
	i, taken := s.index[f.Key]
	switch {
	case !taken:
		s.index[f.Key] = len(s.value.Fields)
		s.value.Fields = append(s.value.Fields, f)
	case merged || s.merged[f.Key]:
		s.value.Fields[i] = f
	default:
		s.builder.report(diag.DuplicateKey, f.Value.Path, f.KeyPosition,
			"the key \""+f.Key+"\" stands here a second time", "Remove one of the two.")
		return
	}
	if merged && !taken {
		s.markMerged(f.Key)
		return
	}
	if !merged {
		delete(s.merged, f.Key)
	}
}

func (s *fieldSet) markMerged(key string) {
	if s.merged == nil {
		s.merged = map[string]bool{}
	}
	s.merged[key] = true
}
