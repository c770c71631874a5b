package convert

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// secretData changes what reads the data of Secrets. For kro it is text in base64; for Plait it is bytes, decoded.
// keep leaves a value alone that stands where bytes may.
func (c *conversion) secretData(p place, at *yaml.Node, all []token, keep bool) []token {
	reads := slices.DeleteFunc(variables(all), func(i int) bool { return !c.secrets[all[i].text] })
	for _, i := range slices.Backward(reads) {
		end, optional := dataPath(all, i)
		switch {
		case end < 0:
			continue
		case optional:
			c.note(TopicExpression, p.path, at, "Plait reads the data of a Secret decoded, as bytes, and kro as text in base64: check this expression.")
			continue
		}
		all = c.oneRead(p, at, all, read{start: i, end: end, keep: keep})
	}
	return all
}

// read is a value of the data of a Secret: all[start:end].
type read struct {
	start, end int
	keep       bool
}

func (c *conversion) oneRead(p place, at *yaml.Node, all []token, r read) []token {
	if _, end := unwrap(all, r.start, r.end, "has"); end > r.end {
		return all
	}
	value := slices.Clone(all[r.start:r.end])
	start, end := unwrap(all, r.start, r.end, "string")
	isConverted := end > r.end
	if s, e := unwrap(all, start, end, "base64", ".", "decode"); e > end {
		c.note(TopicExpression, p.path, at, "Plait reads the data of a Secret decoded: base64.decode was taken out.")
		return slices.Concat(all[:s], value, all[e:])
	}
	if r.keep && !isConverted && start == 0 && end == len(all) {
		return all
	}
	c.note(TopicExpression, p.path, at, "Plait reads the data of a Secret decoded: base64.encode was put around it, to give what kro gives.")
	value = slices.Concat([]token{{identifier, "base64.encode("}}, value, []token{{sign, ")"}})
	return slices.Concat(all[:start], value, all[end:])
}

// unwrap widens a range to the call of a function that has it as its only argument; it stays if there is none.
func unwrap(all []token, start, end int, function ...string) (int, int) {
	closing := next(all, end-1)
	begin := before(all, start)
	if !is(all, closing, ")") || begin < 0 || all[begin].text != "(" {
		return start, end
	}
	for i := len(function) - 1; i >= 0; i-- {
		begin = before(all, begin)
		if begin < 0 || all[begin].text != function[i] {
			return start, end
		}
	}
	return begin, closing + 1
}

// before gives the index of the last token before i that is not blank, -1 when there is none.
func before(all []token, i int) int {
	for i--; i >= 0 && all[i].kind == blank; i-- {
	}
	return i
}

// dataPath gives the end of `secret.data.key` or `secret.data[key]` that starts at i, -1 when there is no such thing
// there; optional tells of a `?` in it.
func dataPath(all []token, i int) (end int, optional bool) {
	data := stepAfter(all, i)
	key := stepAfter(all, data.last)
	if data.name != "data" || key.last < 0 || is(all, next(all, key.last), "(") {
		return -1, false
	}
	return key.last + 1, data.optional || key.optional
}

// step is a selection: `.name`, `.?name`, `[key]` or `[?key]`.
type step struct {
	last     int    // index of its last token, -1 when there is no selection
	name     string // empty for brackets
	optional bool
}

func stepAfter(all []token, i int) step {
	if i < 0 {
		return step{last: -1}
	}
	start := next(all, i)
	at := next(all, start)
	out := step{last: -1, optional: is(all, at, "?")}
	if out.optional {
		at = next(all, at)
	}
	switch {
	case is(all, start, "["):
		out.last = closingBracket(all, start)
	case is(all, start, ".") && at < len(all) && all[at].kind == identifier:
		out.last, out.name = at, all[at].text
	}
	return out
}

// closingBracket gives the index of the bracket that closes the one at start, -1 when there is none.
func closingBracket(all []token, start int) int {
	depth := 0
	for i := start; i < len(all); i++ {
		switch all[i].text {
		case "[":
			depth++
		case "]":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
