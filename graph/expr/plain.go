package expr

import (
	"errors"
	"fmt"

	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// Bounds of one result: values that share parts can be far larger than what it cost to make them.
const (
	maxResultValues = 250_000
	maxResultBytes  = 8 << 20
)

var errTooLarge = errors.New("the value is too large: more than 250,000 parts or 8 MiB of text")

// plainer turns CEL values into plain ones.
type plainer struct {
	values, bytes int
}

func (e *expression) plainResult(value ref.Val) Result {
	plain, omitted, err := (&plainer{}).plain(value)
	if err != nil {
		return Result{Err: e.failure("%s", err)}
	}
	return Result{Value: plain, Omitted: omitted}
}

// plain gives the value, or true if there is none.
func (p *plainer) plain(value ref.Val) (any, bool, error) {
	p.values++
	if p.values > maxResultValues || p.bytes > maxResultBytes {
		return nil, false, errTooLarge
	}
	switch v := value.(type) {
	case *celtypes.Optional:
		if !v.HasValue() {
			return nil, true, nil
		}
		return p.plain(v.GetValue())
	case object:
		return p.data(v.data)
	case traits.Mapper:
		return p.plainMap(v)
	case traits.Lister:
		return p.plainList(v)
	case *celtypes.Err:
		return nil, false, v
	case *celtypes.Unknown:
		return nil, false, errors.New("a part of the value is not there")
	}
	scalar, ok := p.scalar(value)
	if !ok {
		return nil, false, fmt.Errorf("a %s has no JSON form: call string(…) or another of its functions", typeName(value))
	}
	return scalar, false, nil
}

func (p *plainer) scalar(value ref.Val) (any, bool) {
	switch v := value.(type) {
	case celtypes.Null:
		return nil, true
	case celtypes.Bool:
		return bool(v), true
	case celtypes.Int:
		return int64(v), true
	case celtypes.Uint:
		return uint64(v), true
	case celtypes.Double:
		return float64(v), true
	case celtypes.String:
		p.bytes += len(v)
		return string(v), true
	case celtypes.Bytes:
		p.bytes += len(v)
		return append([]byte{}, v...), true
	case celtypes.Timestamp:
		return v.Time, true
	case celtypes.Duration:
		return v.Duration, true
	}
	return nil, false
}

// data copies an object as it is, so that times and quantities in it keep the form they were written in.
func (p *plainer) data(data map[string]any) (any, bool, error) {
	p.count(data)
	if p.values > maxResultValues || p.bytes > maxResultBytes {
		return nil, false, errTooLarge
	}
	return copyData(data), false, nil
}

func (p *plainer) count(data any) {
	p.values++
	switch v := data.(type) {
	case string:
		p.bytes += len(v)
	case []any:
		for _, element := range v {
			p.count(element)
		}
	case map[string]any:
		for _, entry := range v {
			p.count(entry)
		}
	}
}

// copyData copies JSON data; other values in it are immutable.
func copyData(data any) any {
	switch v := data.(type) {
	case map[string]any:
		copied := make(map[string]any, len(v))
		for key, entry := range v {
			copied[key] = copyData(entry)
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i, element := range v {
			copied[i] = copyData(element)
		}
		return copied
	case []byte:
		return append([]byte{}, v...)
	case int:
		return int64(v)
	}
	return data
}

func (p *plainer) plainList(list traits.Lister) (any, bool, error) {
	plain := []any{}
	for it := list.Iterator(); it.HasNext() == celtypes.True; {
		element, omitted, err := p.plain(it.Next())
		if err != nil {
			return nil, false, err
		}
		if !omitted {
			plain = append(plain, element)
		}
	}
	return plain, false, nil
}

func (p *plainer) plainMap(m traits.Mapper) (any, bool, error) {
	plain := map[string]any{}
	for it := m.Iterator(); it.HasNext() == celtypes.True; {
		key := it.Next()
		name, ok := key.(celtypes.String)
		if !ok {
			return nil, false, fmt.Errorf("the key %v of a map is a %s; keys must be strings", key, typeName(key))
		}
		entry, omitted, err := p.plain(m.Get(key))
		if err != nil {
			return nil, false, err
		}
		p.bytes += len(name)
		if !omitted {
			plain[string(name)] = entry
		}
	}
	return plain, false, nil
}

func typeName(value ref.Val) string { return shortTypeName(value.Type().TypeName()) }
