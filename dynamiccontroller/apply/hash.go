package apply

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// hashAlgorithm numbers the way in which hashOf works: SHA-256 over compact JSON with sorted keys. A hash of
// another algorithm is never equal, so that a change of it re-applies every object once.
const hashAlgorithm = "1"

// hashOf gives `1-` and 32 hexadecimal digits. What JSON cannot hold hashes as nothing, so that such an object is
// always written and the API server says what is wrong with it.
func hashOf(object map[string]any) string {
	data, err := json.Marshal(object)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hashAlgorithm + "-" + hex.EncodeToString(sum[:16])
}
