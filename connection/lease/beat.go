package lease

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"k8s.io/apimachinery/pkg/types"
)

// Beat is one Lease on a provider.
type Beat struct {
	Connection string
	Namespace  string // on the provider
	Name       string
	Holder     types.UID // of this cluster
}

// maxName is how long the name of a Lease is at most, in bytes.
const maxName = 63

// NewBeat names the Lease of a Connection. Several consumers, and several Connections of one, share a provider.
func NewBeat(connection, namespace string, holder types.UID) Beat {
	sum := sha256.Sum256([]byte(connection + "/" + string(holder)))
	prefix, suffix := "plait-"+connection, "-"+hex.EncodeToString(sum[:])[:10]
	if len(prefix)+len(suffix) > maxName {
		prefix = strings.TrimRight(prefix[:maxName-len(suffix)], "-.")
	}
	return Beat{Connection: connection, Namespace: namespace, Name: prefix + suffix, Holder: holder}
}
