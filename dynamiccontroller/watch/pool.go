package watch

import (
	"hash/maphash"
	"sync"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/deepequal"
)

const (
	maxPooledText = 64    // bytes; longer texts are seldom alike
	maxPooled     = 32768 // entries of each kind; then the pool starts afresh, which costs sharing and nothing else
)

// sharedKeys are the fields whose values are shared as a whole: the children of one instance carry the same labels and owner
// references, and field sets of managedFields are alike in all objects that were rendered from one template.
var sharedKeys = map[string]bool{"labels": true, "ownerReferences": true, "managedFields": true, "fieldsV1": true}

// isUnique tells whether a text is one of those of which hardly two objects have the same: sharing them gains nothing and fills
// the pool. A name is one where a UID stands beside it.
func isUnique(key string, beside map[string]any) bool {
	switch key {
	case "uid", "resourceVersion", v1alpha1.AnnotationAppliedHash:
		return true
	case "name":
		_, identified := beside["uid"]
		return identified
	}
	return false
}

// pool makes objects share what repeats in thousands of them: keys, short texts, and the values of sharedKeys. What it has
// shared is never changed again. Safe for concurrent use.
type pool struct {
	seed maphash.Seed

	mu    sync.Mutex
	texts map[string]any // each text as a value, so that giving it out allocates nothing
	trees map[uint64]any // maps and lists by hash; of two with one hash only the later is shared
}

func newPool() *pool {
	return &pool{seed: maphash.MakeSeed(), texts: map[string]any{}, trees: map[uint64]any{}}
}

// share replaces what repeats in m by shared values that are equal. m must not be in use elsewhere.
func (p *pool) share(m map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shareLocked(m)
}

func (p *pool) shareLocked(m map[string]any) {
	for key, value := range m {
		shared, _ := p.textLocked(key).(string)
		if sharedKeys[key] {
			m[shared] = p.treeLocked(value) // assigning takes the shared key as well
			continue
		}
		if !isUnique(shared, m) {
			value = p.valueLocked(value)
		}
		m[shared] = value
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

func (p *pool) textLocked(s string) any {
	if shared, ok := p.texts[s]; ok {
		return shared
	}
	if len(s) > maxPooledText {
		return s
	}
	if len(p.texts) >= maxPooled {
		p.texts = map[string]any{}
	}
	p.texts[s] = s
	return p.texts[s]
}

// treeLocked never changes a tree that it has given out before, so that a tree may come back to it.
func (p *pool) treeLocked(tree any) any {
	hash := p.hash(tree)
	if shared, ok := p.trees[hash]; ok && deepequal.Values(shared, tree) {
		return shared
	}
	if len(p.trees) >= maxPooled {
		p.trees = map[uint64]any{}
	}
	tree = p.valueLocked(tree)
	p.trees[hash] = tree
	return tree
}

// hash is the same for equal values, whatever the order of their keys.
func (p *pool) hash(v any) uint64 {
	const spread = 0x9E3779B97F4A7C15
	switch v := v.(type) {
	case string:
		return maphash.String(p.seed, v)
	case map[string]any:
		sum := uint64(len(v))
		for key, value := range v {
			h := maphash.String(p.seed, key)*31 + p.hash(value)*spread
			sum += h ^ h>>29
		}
		return sum
	case []any:
		sum := uint64(len(v)) + 1
		for _, item := range v {
			sum = sum*spread + p.hash(item)
		}
		return sum
	default:
		return maphash.Comparable(p.seed, v)
	}
}
