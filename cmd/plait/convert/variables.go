package convert

// macros are the functions whose first arguments are names that they bind, and how many those are at most.
var macros = map[string]int{
	"all": 2, "exists": 2, "exists_one": 2, "existsOne": 2, "map": 1, "filter": 1, "sortBy": 1,
	"transformList": 2, "transformMap": 2, "transformMapEntry": 2, "bind": 1, "optMap": 1, "optFlatMap": 1,
}

// variables gives the indices of the identifiers that are variables from outside of the expression: no fields, no
// functions, and no names that a comprehension binds.
func variables(all []token) []int {
	var out []int
	var scopes []map[string]bool // one for each open bracket
	previous := -1
	for i, t := range all {
		switch {
		case t.kind == blank:
			continue
		case t.kind == sign && (t.text == "(" || t.text == "[" || t.text == "{"):
			scopes = append(scopes, boundBy(all, previous, i))
		case t.kind == sign && (t.text == ")" || t.text == "]" || t.text == "}"):
			scopes = scopes[:max(0, len(scopes)-1)]
		case t.kind == identifier && !isMember(all, previous) && !isBound(scopes, t.text) && !is(all, next(all, i), "("):
			out = append(out, i)
		}
		previous = i
	}
	return out
}

// isMember tells whether what follows the token at i is a field or a method: after `.`, and after `.?`.
func isMember(all []token, i int) bool {
	if i < 0 {
		return false
	}
	if all[i].text == "?" {
		for i--; i >= 0 && all[i].kind == blank; i-- {
		}
	}
	return is(all, max(i, 0), ".")
}

func isBound(scopes []map[string]bool, name string) bool {
	for _, scope := range scopes {
		if scope[name] {
			return true
		}
	}
	return false
}

// boundBy gives the names that are bound within the bracket at open, which follows the token at before.
func boundBy(all []token, before, open int) map[string]bool {
	if before < 0 || all[open].text != "(" || all[before].kind != identifier {
		return nil
	}
	out := map[string]bool{}
	at := open
	for range macros[all[before].text] {
		name := next(all, at)
		at = next(all, name)
		if name >= len(all) || all[name].kind != identifier || !is(all, at, ",") {
			break
		}
		out[all[name].text] = true
	}
	return out
}
