package schema

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Export is one API that a provider offers. Immutable.
type Export struct {
	Group, Resource, Kind string
	Namespaced            bool
	Versions              []string // served, the preferred one first
	// Definition is what is to be installed, without marks. Nil when Fault says why there is none.
	Definition *apiextensionsv1.CustomResourceDefinition
	Fault      Fault
}

// Fault says why an export cannot be installed. The zero value is none.
type Fault struct {
	State   v1alpha1.ExportedAPIState // Unsupported or Invalid
	Reason  v1alpha1.Reason
	Message string
}

// Name is `resource.group`.
func (e Export) Name() string { return e.Resource + "." + e.Group }

// GroupKind is the kind without a version.
func (e Export) GroupKind() schema.GroupKind {
	return schema.GroupKind{Group: e.Group, Kind: e.Kind}
}

// Scope is where the objects live.
func (e Export) Scope() v1alpha1.Scope {
	if e.Namespaced {
		return v1alpha1.ScopeNamespaced
	}
	return v1alpha1.ScopeCluster
}

// maxExports is how many APIs one Connection takes: a status has to hold them all.
const maxExports = 2000

// bounded sorts exports, which it takes over, and refuses more than there may be.
func bounded(exports []Export) ([]Export, error) {
	slices.SortStableFunc(exports, func(a, b Export) int { return cmp.Compare(a.Name(), b.Name()) })
	exports = slices.CompactFunc(exports, func(a, b Export) bool { return a.Name() == b.Name() })
	if len(exports) > maxExports {
		return nil, fmt.Errorf("the provider exports %d APIs, and a Connection takes %d: choose some by spec.schema.include", len(exports), maxExports)
	}
	return exports, nil
}

// Filter says which exports are taken: globs over `group` or `resource.group`. Exclude wins; an empty Include takes all.
type Filter struct{ Include, Exclude []string }

// Takes tells whether an API is taken. A pattern that is no glob means itself.
func (f Filter) Takes(group, resource string) bool {
	matches := func(pattern string) bool {
		return isMatch(pattern, group) || isMatch(pattern, resource+"."+group)
	}
	if slices.ContainsFunc(f.Exclude, matches) {
		return false
	}
	return len(f.Include) == 0 || slices.ContainsFunc(f.Include, matches)
}

func isMatch(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok || err != nil && pattern == name
}

// IsExportable tells whether APIs of a group may be exported at all: built-in groups, Plait's own and kcp's never are.
func IsExportable(group string) bool {
	if !strings.Contains(group, ".") || group == v1alpha1.GroupVersion.Group {
		return false
	}
	for _, suffix := range []string{"k8s.io", "kcp.io"} {
		if group == suffix || strings.HasSuffix(group, "."+suffix) {
			return false
		}
	}
	return true
}
