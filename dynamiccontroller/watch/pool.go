package watch

import (
	"hash/maphash"
	"sync"
)

const (
	maxPooledText = 64    // bytes; longer texts are seldom alike
	maxPooled     = 32768 // entries of each kind; then the pool starts afresh, which costs sharing and nothing else
)

// fieldSet is the key whose trees are shared as a whole: field sets of managedFields are alike in all objects that were
// rendered from one template.
const fieldSet = "fieldsV1"

// pool makes objects share equal texts and equal field sets: keys, namespaces, label values and field sets repeat in
// thousands of them. What it has shared is never changed again. Safe for concurrent use.
type pool struct {
	seed maphash.Seed

	mu    sync.Mutex
	texts map[string]string
	trees map[uint64]map[string]any // by hash; of two trees with one hash only the later is shared
}

func newPool() *pool {
	return &pool{seed: maphash.MakeSeed(), texts: map[string]string{}, trees: map[uint64]map[string]any{}}
}

// share replaces texts and field sets in m by shared ones that are equal. m must not be in use elsewhere.
func (p *pool) share(m map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shareLocked(m)
}

func (p *pool) shareLocked(m map[string]any) {
	for key, value := range m {
		if fields, ok := value.(map[string]any); ok && key == fieldSet {
			m[p.textLocked(key)] = p.treeLocked(fields)
			continue
		}
		m[p.textLocked(key)] = p.valueLocked(value) // assigning takes the shared key as well
	}
}

func (p *pool) valueLocked(v any) any {
	switch v := v.(type) {
	case string:
		return p.textLocked(v)
	case map[string]any:
		p.shareLocked(v)
	case []any:
		for i, item := range v {
			v[i] = p.valueLocked(item)
		}
	}
	return v
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

// treeLocked never changes a tree that it has given out before, so that a tree may come back to it.
func (p *pool) treeLocked(m map[string]any) map[string]any {
	hash := p.hash(m)
	if shared, ok := p.trees[hash]; ok && isEqual(shared, m) {
		return shared
	}
	if len(p.trees) >= maxPooled {
		p.trees = map[uint64]map[string]any{}
	}
	p.trees[hash] = m
	return m
}

// hash is the same for equal trees, whatever the order of their keys.
func (p *pool) hash(m map[string]any) uint64 {
	sum := uint64(len(m))
	for key, value := range m {
		h := maphash.String(p.seed, key)
		if below, ok := value.(map[string]any); ok {
			h = h*31 + p.hash(below)*0x9E3779B97F4A7C15
		}
		sum += h ^ h>>29
	}
	return sum
}

// isEqual compares field sets, whose leaves are empty maps.
func isEqual(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for key, one := range a {
		other, ok := b[key]
		if !ok {
			return false
		}
		below, isTree := one.(map[string]any)
		beside, isTreeToo := other.(map[string]any)
		if !isTree || !isTreeToo || !isEqual(below, beside) {
			return false
		}
	}
	return true
}
