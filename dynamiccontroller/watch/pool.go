package watch

import (
	"encoding/json"
	"sync"
)

const (
	maxPooledText = 64    // bytes; longer texts are seldom alike
	maxPooled     = 32768 // entries of each kind; then the pool starts afresh, which costs sharing and nothing else
)

// pool shares equal texts and equal trees between objects: keys, namespaces, label values and field sets repeat in
// thousands of them. Safe for concurrent use.
type pool struct {
	mu    sync.Mutex
	texts map[string]string
	trees map[string]map[string]any
}

func newPool() *pool {
	return &pool{texts: map[string]string{}, trees: map[string]map[string]any{}}
}

// text gives a text equal to s, shared with all who asked for it.
func (p *pool) text(s string) string {
	if len(s) > maxPooledText {
		return s
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.textLocked(s)
}

func (p *pool) textLocked(s string) string {
	if len(s) > maxPooledText {
		return s
	}
	if shared, ok := p.texts[s]; ok {
		return shared
	}
	if len(p.texts) >= maxPooled {
		p.texts = map[string]string{}
	}
	p.texts[s] = s
	return s
}

// value gives a copy of a JSON value whose texts are shared.
func (p *pool) value(v any) any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.valueLocked(v)
}

func (p *pool) valueLocked(v any) any {
	switch v := v.(type) {
	case string:
		return p.textLocked(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[p.textLocked(key)] = p.valueLocked(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = p.valueLocked(item)
		}
		return out
	default:
		return v
	}
}

// tree gives a tree equal to m, shared with all who asked for it.
func (p *pool) tree(m map[string]any) map[string]any {
	text, err := json.Marshal(m)
	if err != nil { // no JSON value; nothing to share
		return m
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if shared, ok := p.trees[string(text)]; ok {
		return shared
	}
	if len(p.trees) >= maxPooled {
		p.trees = map[string]map[string]any{}
	}
	copied, _ := p.valueLocked(m).(map[string]any)
	p.trees[string(text)] = copied
	return copied
}
