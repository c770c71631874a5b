// Package arbitration decides which bindings hold an API that several of them name.
//
// Bindings ask it before they sync anything, and whoever installs schemas asks it for which Connection. One API comes
// through one Connection only: through the one whose schema is installed already, else through that of the oldest binding.
// Of two bindings that would sync the same objects the older one does. It is pure; the order of its input does not matter.
package arbitration

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Claim is a binding that wants APIs, and that may have them as far as its Connection is concerned.
type Claim struct {
	Namespace  string // of a Binding; empty: it is a ClusterBinding
	Name       string
	Created    time.Time
	Connection string
	APIs       []string // resource.group
}

// String names the binding: `ClusterBinding "acme"`, `Binding "team/acme"`.
func (c Claim) String() string {
	if c.Namespace == "" {
		return v1alpha1.KindClusterBinding + ` "` + c.Name + `"`
	}
	return v1alpha1.KindBinding + ` "` + c.Namespace + "/" + c.Name + `"`
}

// Compare orders by age, then ClusterBindings before Bindings, then by name and namespace.
func (c Claim) Compare(d Claim) int {
	return cmp.Or(c.Created.Compare(d.Created), cmp.Compare(min(len(c.Namespace), 1), min(len(d.Namespace), 1)),
		strings.Compare(c.Name, d.Name), strings.Compare(c.Namespace, d.Namespace))
}

func (c Claim) is(d Claim) bool { return c.Namespace == d.Namespace && c.Name == d.Name }

func (c Claim) overlaps(d Claim) bool {
	return c.Namespace == "" || d.Namespace == "" || c.Namespace == d.Namespace
}

// Holders gives the claims that have an API, the first one first. installed is the Connection that the API's schema was
// installed from; empty: none was.
func Holders(claims []Claim, api, installed string) []Claim {
	var wanting []Claim
	for _, c := range claims {
		if slices.Contains(c.APIs, api) {
			wanting = append(wanting, c)
		}
	}
	if len(wanting) == 0 {
		return nil
	}
	slices.SortFunc(wanting, Claim.Compare)
	through := wanting[0].Connection
	if slices.ContainsFunc(wanting, func(c Claim) bool { return c.Connection == installed }) {
		through = installed
	}
	var out []Claim
	for _, c := range wanting {
		if c.Connection == through && !slices.ContainsFunc(out, c.overlaps) {
			out = append(out, c)
		}
	}
	return out
}

// Kept gives the namespaces in which holders of an API other than c see to its objects; everywhere tells that they do so
// wherever c would.
func Kept(c Claim, claims []Claim, api, installed string) (namespaces []string, everywhere bool) {
	for _, h := range Holders(claims, api, installed) {
		switch {
		case h.is(c) || !h.overlaps(c):
		case h.Namespace == "" || c.Namespace != "":
			return nil, true
		default:
			namespaces = append(namespaces, h.Namespace)
		}
	}
	slices.Sort(namespaces)
	return namespaces, false
}

// Rival gives the claim that has an API in the place of c; ok is false when c itself has it.
func Rival(c Claim, claims []Claim, api, installed string) (rival Claim, ok bool) {
	holders := Holders(claims, api, installed)
	if slices.ContainsFunc(holders, c.is) || len(holders) == 0 {
		return Claim{}, false
	}
	if i := slices.IndexFunc(holders, c.overlaps); i >= 0 {
		return holders[i], true
	}
	return holders[0], true
}
