package mirror

import (
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Maker is who makes copies: one binding of one consumer cluster.
type Maker struct {
	Cluster types.UID // of the consumer
	Binding types.UID
	// Prefix is put before namespaces; empty: copies live in the namespace of the same name.
	Prefix string

	inbound bool // copies are made in this cluster, of what a provider has; Cluster is the provider
}

// managerDigits is how much of the cluster's UID is in the name of the manager.
const managerDigits = 8

// Manager is the field manager of all copies: one for all that a consumer cluster writes to providers.
func (m Maker) Manager() string { return m.words().manager }

// Selector selects what was made by this consumer cluster, or of what this provider has.
func (m Maker) Selector() string { return m.words().label + "=" + string(m.Cluster) }

// isMark tells keys of labels and annotations that only Plait writes.
func isMark(key string) bool {
	domain, _, _ := strings.Cut(key, "/")
	return domain == v1alpha1.GroupVersion.Group
}
