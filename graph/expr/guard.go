package expr

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// CEL knows what a call costs only after it was made. The functions whose result can be out of all proportion to what
// they are given are looked at before.
const (
	maxElements = 1_000_000 // of a list
	maxText     = 8 << 20   // bytes of a string
	maxPairs    = 4_000_000 // of elements to compare
)

// guard refuses a call that would make too much; arguments that are not given are nil.
type guard func(a, b, c ref.Val) error

var guards = map[string]guard{
	"lists.range":     guardRange,
	operators.Add:     guardConcatenation,
	"flatten":         guardFlatten,
	"replace":         guardReplace,
	"join":            guardJoin,
	"format":          guardFormat,
	"distinct":        func(a, _, _ ref.Val) error { return guardPairs(a, a) },
	"sets.contains":   func(a, b, _ ref.Val) error { return guardPairs(a, b) },
	"sets.intersects": func(a, b, _ ref.Val) error { return guardPairs(a, b) },
	"sets.equivalent": func(a, b, _ ref.Val) error { return guardPairs(a, b) },
	"yaml.unmarshal":  guardText,
	"json.unmarshal":  guardText,
	"base64.decode":   guardText,
	"base64.encode":   guardText,
	"strings.quote":   guardText,
}

// guarded puts the guard of a function, if it has one, before its implementations.
func guarded(name string, bindings []*functions.Overload) []*functions.Overload {
	check := guards[name]
	if check == nil {
		return bindings
	}
	for _, binding := range bindings {
		if unary := binding.Unary; unary != nil {
			binding.Unary = func(a ref.Val) ref.Val {
				if err := check(a, nil, nil); err != nil {
					return celtypes.WrapErr(err)
				}
				return unary(a)
			}
		}
		if binary := binding.Binary; binary != nil {
			binding.Binary = func(a, b ref.Val) ref.Val {
				if err := check(a, b, nil); err != nil {
					return celtypes.WrapErr(err)
				}
				return binary(a, b)
			}
		}
		if function := binding.Function; function != nil {
			binding.Function = func(args ...ref.Val) ref.Val {
				var first [3]ref.Val
				copy(first[:], args)
				if err := check(first[0], first[1], first[2]); err != nil {
					return celtypes.WrapErr(err)
				}
				return function(args...)
			}
		}
	}
	return bindings
}

func guardRange(n, _, _ ref.Val) error {
	if size, ok := n.(celtypes.Int); ok && size > maxElements {
		return fmt.Errorf("lists.range(%d) is longer than %d elements", size, maxElements)
	}
	return nil
}

func guardConcatenation(a, b, _ ref.Val) error {
	first, ok := a.(traits.Lister)
	if !ok {
		return nil
	}
	second, ok := b.(traits.Lister)
	if ok && sizeOf(first)+sizeOf(second) > maxElements {
		return fmt.Errorf("the list is longer than %d elements", maxElements)
	}
	return nil
}

func guardFlatten(list, depth, _ ref.Val) error {
	levels := 1
	if n, ok := depth.(celtypes.Int); ok {
		levels = int(min(n, maxElements))
	}
	if countFlat(list, levels, 0) > maxElements {
		return fmt.Errorf("the flattened list is longer than %d elements", maxElements)
	}
	return nil
}

// countFlat adds the number of elements after flattening, and stops once that is too many.
func countFlat(value ref.Val, levels, count int) int {
	list, ok := value.(traits.Lister)
	if !ok || levels < 0 {
		return count + 1
	}
	for it := list.Iterator(); it.HasNext() == celtypes.True && count <= maxElements; {
		count = countFlat(it.Next(), levels-1, count)
	}
	return count
}

func guardReplace(text, old, replacement ref.Val) error {
	s, ok := text.(celtypes.String)
	from, isText := old.(celtypes.String)
	to, toText := replacement.(celtypes.String)
	if !ok || !isText || !toText || len(to) <= len(from) {
		return nil
	}
	if len(s)+strings.Count(string(s), string(from))*(len(to)-len(from)) > maxText {
		return errTooLarge
	}
	return nil
}

func guardJoin(list, separator, _ ref.Val) error {
	l, ok := list.(traits.Lister)
	if !ok {
		return nil
	}
	total := 0
	if s, ok := separator.(celtypes.String); ok {
		total = len(s) * sizeOf(l)
	}
	for it := l.Iterator(); it.HasNext() == celtypes.True && total <= maxText; {
		if s, ok := it.Next().(celtypes.String); ok {
			total += len(s)
		}
	}
	if total > maxText {
		return errTooLarge
	}
	return nil
}

// guardFormat refuses widths of four digits and arguments that are too large.
func guardFormat(format, args, _ ref.Val) error {
	digits := 0
	if s, ok := format.(celtypes.String); ok {
		for _, r := range s {
			if r < '0' || r > '9' {
				digits = 0
				continue
			}
			if digits++; digits > 3 && strings.Contains(string(s), "%.") {
				return errors.New("a precision in the format has more than three digits")
			}
		}
	}
	if _, _, err := (&plainer{}).plain(args); errors.Is(err, errTooLarge) {
		return err
	}
	return nil
}

func guardPairs(a, b ref.Val) error {
	if first, ok := a.(traits.Lister); ok {
		if second, ok := b.(traits.Lister); ok && sizeOf(first)*sizeOf(second) > maxPairs {
			return fmt.Errorf("lists of %d and %d elements are too long to compare", sizeOf(first), sizeOf(second))
		}
	}
	return nil
}

func guardText(text, _, _ ref.Val) error {
	if s, ok := text.(celtypes.String); ok && len(s) > maxText {
		return errTooLarge
	}
	return nil
}

func sizeOf(list traits.Sizer) int {
	size, _ := list.Size().(celtypes.Int)
	return int(size)
}
