// Package contenthash tells by one short text what an object was when it was applied, so that the next look at it needs
// neither the object that was applied nor a write.
package contenthash

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Algorithm numbers the way in which Of works: SHA-256 over compact JSON with sorted keys. A hash of another algorithm is
// never equal, so that a change of it re-applies every object once.
const Algorithm = "1"

// Of gives `1-` and 32 hexadecimal digits. What JSON cannot hold hashes as nothing, so that such an object is always
// written and the API server says what is wrong with it.
func Of(object map[string]any) string {
	data, err := json.Marshal(object)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return Algorithm + "-" + hex.EncodeToString(sum[:16])
}
