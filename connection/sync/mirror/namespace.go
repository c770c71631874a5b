package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const (
	maxNamespace = 63 // characters
	hashDigits   = 8  // of a cut name
)

// Namespace gives the provider's namespace for one of this cluster. A name that would be too long is cut, and ends with a
// hash of the whole.
func (m Maker) Namespace(name string) string {
	full := m.Prefix + name
	if len(full) <= maxNamespace {
		return full
	}
	sum := sha256.Sum256([]byte(full))
	return strings.TrimRight(full[:maxNamespace-hashDigits-1], "-") + "-" + hex.EncodeToString(sum[:])[:hashDigits]
}
