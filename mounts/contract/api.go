package contract

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Kind is the kind of Workspaces in both APIs.
const Kind = "Workspace"

// API is one that Workspaces are of. Comparable.
type API schema.GroupVersion

// The APIs that are known.
var (
	Plait = API(v1alpha1.GroupVersion)
	KCP   = API{Group: "tenancy.kcp.io", Version: "v1alpha1"}
)

// ParseAPI reads `group/version`.
func ParseAPI(text string) (API, error) {
	known := []string{Plait.String(), KCP.String()}
	for _, api := range []API{Plait, KCP} {
		if text == api.String() {
			return api, nil
		}
	}
	return API{}, fmt.Errorf("%q is no API of Workspaces; there are %s", text, strings.Join(known, " and "))
}

// String is `group/version`.
func (a API) String() string { return schema.GroupVersion(a).String() }

// Resource is where the API serves Workspaces.
func (a API) Resource() schema.GroupVersionResource {
	return schema.GroupVersion(a).WithResource("workspaces")
}

// GroupKind is the kind of the API's Workspaces.
func (a API) GroupKind() schema.GroupKind { return schema.GroupKind{Group: a.Group, Kind: Kind} }
