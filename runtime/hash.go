package runtime

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// hashOf is a short hash of a value: equal values, equal hashes, in every process.
func hashOf(value any) string {
	sum := sha256.Sum256(appendValue(nil, value))
	return hex.EncodeToString(sum[:16])
}

// appendValue writes a value so that different values give different bytes: a letter for its type, its length
// where it has one, and maps in the order of their keys.
func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(b, 'n')
	case bool:
		if v {
			return append(b, 't')
		}
		return append(b, 'f')
	case string:
		return append(appendLength(append(b, 's'), len(v)), v...)
	case []byte:
		return append(appendLength(append(b, 'b'), len(v)), v...)
	case int64:
		return binary.BigEndian.AppendUint64(append(b, 'i'), uint64(v))
	case uint64:
		return binary.BigEndian.AppendUint64(append(b, 'u'), v)
	case float64:
		return binary.BigEndian.AppendUint64(append(b, 'd'), math.Float64bits(v))
	case map[string]any:
		b = appendLength(append(b, 'm'), len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			b = append(appendLength(b, len(key)), key...)
			b = appendValue(b, v[key])
		}
		return b
	case []any:
		b = appendLength(append(b, 'l'), len(v))
		for _, item := range v {
			b = appendValue(b, item)
		}
		return b
	case time.Time:
		return appendValue(append(b, 'z'), v.UTC().Format(time.RFC3339Nano))
	case time.Duration:
		return binary.BigEndian.AppendUint64(append(b, 'h'), uint64(v))
	}
	return appendValue(append(b, 'x'), fmt.Sprintf("%T %v", value, value))
}

func appendLength(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }
