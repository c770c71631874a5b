package plan

import (
	"maps"
	"slices"
)

// Waves orders children for deletion by the nodes that they say they are of and that these need: what others need
// comes after them. The keys of one wave are sorted and may go at once. Children of nodes that need each other, as
// two revisions may have left them, go together in the last wave. It needs no graph.
func Waves(children map[Key]map[string]any) [][]Key {
	w := newWaves(children)
	var out [][]Key
	for len(w.keys) > 0 {
		free := w.free()
		var wave []Key
		for _, id := range free {
			wave = append(wave, w.keys[id]...)
		}
		for _, id := range free {
			w.remove(id)
		}
		slices.SortFunc(wave, Key.Compare)
		out = append(out, wave)
	}
	return out
}

// waves is what is left to order. Invariant: neededBy counts only nodes that are in keys.
type waves struct {
	keys     map[string][]Key
	needs    map[string]map[string]bool
	neededBy map[string]int
	next     []string // nodes that nobody needs any more
}

func newWaves(children map[Key]map[string]any) *waves {
	w := &waves{keys: map[string][]Key{}, needs: map[string]map[string]bool{}, neededBy: map[string]int{}}
	for key, child := range children {
		id := NodeOf(child)
		w.keys[id] = append(w.keys[id], key)
		if w.needs[id] == nil {
			w.needs[id] = map[string]bool{}
		}
		for _, need := range NeedsOf(child) {
			w.needs[id][need] = need != id
		}
	}
	for id := range w.keys {
		for need, real := range w.needs[id] {
			if _, exists := w.keys[need]; exists && real {
				w.neededBy[need]++
			}
		}
	}
	for id := range w.keys {
		if w.neededBy[id] == 0 {
			w.next = append(w.next, id)
		}
	}
	return w
}

// free takes the nodes that nobody needs; in a circle all that are left.
func (w *waves) free() []string {
	free := w.next
	w.next = nil
	if len(free) == 0 {
		return slices.Collect(maps.Keys(w.keys))
	}
	return free
}

func (w *waves) remove(id string) {
	delete(w.keys, id)
	for need, real := range w.needs[id] {
		if _, exists := w.keys[need]; !exists || !real {
			continue
		}
		w.neededBy[need]--
		if w.neededBy[need] == 0 {
			w.next = append(w.next, need)
		}
	}
}
