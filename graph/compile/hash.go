package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/plait-run/plait/graph/source"
)

// Hash identifies what an author wrote: SHA-256 over the canonical JSON of the spec. It is taken of the document
// and not of Go types, so that no change of the engine makes an old document look new.
func Hash(group *source.Group) string {
	var spec any
	if group.Root != nil {
		spec = group.Root.Get("spec").Plain()
	}
	data, err := json.Marshal(spec) // maps are written with sorted keys
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}
