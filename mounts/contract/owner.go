package contract

import (
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Owner is who made a Workspace, as kcp records it. The zero value: nobody is recorded.
type Owner struct {
	Username string              `json:"username"`
	UID      string              `json:"uid,omitempty"`
	Groups   []string            `json:"groups,omitempty"`
	Extra    map[string][]string `json:"extra,omitempty"`

	Unreadable bool `json:"-"` // there is a record, and it names nobody
}

// IsRecorded tells whether the Workspace has a record, readable or not.
func (o Owner) IsRecorded() bool { return o.Username != "" || o.Unreadable }

func readOwner(value string) Owner {
	if value == "" {
		return Owner{}
	}
	var o Owner
	if err := json.Unmarshal([]byte(value), &o); err != nil || o.Username == "" {
		return Owner{Unreadable: true}
	}
	slices.Sort(o.Groups)
	return o
}

// OwningWorkspace gives the Workspace that a mount object names as its owner by kcp's older annotation; ok is false where
// it names none.
func OwningWorkspace(u *unstructured.Unstructured) (api API, name string, ok bool) {
	value := u.GetAnnotations()[v1alpha1.AnnotationOwningWorkspace]
	if value == "" {
		return API{}, "", false
	}
	var owner struct{ APIVersion, Kind, Name string }
	if err := json.Unmarshal([]byte(value), &owner); err != nil || owner.Kind != Kind || owner.Name == "" {
		return API{}, "", false
	}
	gv, err := schema.ParseGroupVersion(owner.APIVersion)
	return API(gv), owner.Name, err == nil
}
