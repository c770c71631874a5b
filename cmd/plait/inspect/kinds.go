package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph/diag"
)

// Kind is a kind that a cluster serves and whose objects can be read.
type Kind struct {
	GVK        schema.GroupVersionKind
	Resource   schema.GroupVersionResource
	Namespaced bool
	Singular   string
	ShortNames []string
}

// IsBuiltIn tells the kinds that Kubernetes itself has.
func (k Kind) IsBuiltIn() bool {
	return !strings.Contains(k.GVK.Group, ".") || strings.HasSuffix(k.GVK.Group, ".k8s.io")
}

// Kinds are all kinds of a cluster; of each group and kind the version comes first that the server prefers.
type Kinds []Kind

// NewKinds takes what discovery gives, the preferred version of each group first.
func NewKinds(lists []*metav1.APIResourceList) Kinds {
	var out Kinds
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil { // no name that anybody could ask for
			continue
		}
		for _, r := range list.APIResources {
			if strings.Contains(r.Name, "/") || !slices.Contains(r.Verbs, "get") {
				continue
			}
			out = append(out, Kind{
				GVK: gv.WithKind(r.Kind), Resource: gv.WithResource(r.Name), Namespaced: r.Namespaced,
				Singular: r.SingularName, ShortNames: r.ShortNames,
			})
		}
	}
	return out
}

// Of gives a kind in exactly that version, or else in the preferred one.
func (k Kinds) Of(gvk schema.GroupVersionKind) (Kind, bool) {
	if i := slices.IndexFunc(k, func(one Kind) bool { return one.GVK == gvk }); i >= 0 {
		return k[i], true
	}
	i := slices.IndexFunc(k, func(one Kind) bool { return one.GVK.GroupKind() == gvk.GroupKind() })
	if i < 0 {
		return Kind{}, false
	}
	return k[i], true
}

// UnknownKindError says that a word names no kind of the cluster, or several.
type UnknownKindError struct{ text string }

// Error says what to write instead.
func (e UnknownKindError) Error() string { return e.text }

// plaitGroup is the API group whose kinds win where others have the same name: core has a binding too.
const plaitGroup = "plait.run"

// Find gives the kind that a user means: by kind, plural, singular or short name, alone or with .group or .version.group.
func (k Kinds) Find(word string) (Kind, error) {
	name, group, hasGroup := strings.Cut(word, ".")
	var found []Kind
	for _, one := range k {
		if !one.isCalled(name) || hasGroup && group != one.GVK.Group && group != one.GVK.Version+"."+one.GVK.Group {
			continue
		}
		if !slices.ContainsFunc(found, func(f Kind) bool { return f.GVK.GroupKind() == one.GVK.GroupKind() }) {
			found = append(found, one)
		}
	}
	slices.SortStableFunc(found, func(a, b Kind) int { return cmp.Compare(rank(a), rank(b)) })
	switch {
	case len(found) == 0:
		return Kind{}, UnknownKindError{strings.TrimSpace(fmt.Sprintf("this cluster has no kind %q. %s", word, diag.DidYouMean(word, k.words())))}
	case len(found) > 1 && rank(found[1]) == rank(found[0]):
		return Kind{}, UnknownKindError{fmt.Sprintf("%q may mean %s: write one of them", word, diag.OneOf(fullNames(found)))}
	default:
		return found[0], nil
	}
}

func (k Kind) isCalled(name string) bool {
	name = strings.ToLower(name)
	return name == strings.ToLower(k.GVK.Kind) || name == k.Resource.Resource || name == k.Singular && name != "" || slices.Contains(k.ShortNames, name)
}

// rank orders kinds of one name: Plait's own, what others have added, and last what Kubernetes has.
func rank(k Kind) int {
	switch {
	case k.GVK.Group == plaitGroup:
		return 0
	case k.IsBuiltIn():
		return 1
	default:
		return 2
	}
}

func fullNames(kinds []Kind) []string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.Resource.GroupResource().String())
	}
	slices.Sort(out)
	return out
}

// words are what suggestions are made from.
func (k Kinds) words() []string {
	var out []string
	for _, one := range k {
		out = append(out, strings.ToLower(one.GVK.Kind), one.Resource.Resource)
		out = append(out, one.ShortNames...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Names are the words by which completion offers kinds: Plait's own and what is no part of Kubernetes first.
func (k Kinds) Names() []string {
	sorted := slices.Clone(k)
	slices.SortStableFunc(sorted, func(a, b Kind) int {
		return cmp.Or(cmp.Compare(btoi(a.IsBuiltIn()), btoi(b.IsBuiltIn())), strings.Compare(a.GVK.Kind, b.GVK.Kind))
	})
	var out []string
	for _, one := range sorted {
		if name := strings.ToLower(one.GVK.Kind); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
