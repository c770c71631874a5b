package console

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/cmd/plait/inspect"
)

// row is one object of a list.
type row struct {
	*inspect.Item
	Path string
	Note string // message and notes
}

// Search is what the filter looks at.
func (r row) Search() string {
	return strings.ToLower(strings.Join([]string{r.Kind, r.Namespace, r.Name, r.State, r.Reason, r.Note}, " "))
}

// section is a list of objects of one sort.
type section struct {
	Title string
	Path  string
	Empty string // what to say when there are none
	Rows  []row
	Notes []string // what could not be read
}

// own are the kinds of Plait's own that lists show, by the path of their list.
var own = []struct {
	path, title, empty string
	kinds              []string
}{
	{"/groups", "ResourceGroups", "No ResourceGroup is installed. Apply one with kubectl apply -f group.yaml.", []string{"ResourceGroup"}},
	{"/connections", "Connections", "No provider is connected. Connect one with plait connect NAME --kubeconfig FILE.", []string{"Connection", "ClusterBinding", "Binding"}},
	{"/workspaces", "Workspaces", "There are no Workspaces.", []string{"Workspace"}},
}

const instancesPath = "/instances"

// lists gathers all lists, instances second.
func (s *server) lists(ctx context.Context) ([]section, error) {
	kinds, err := s.store.Kinds(ctx)
	if err != nil {
		return nil, err
	}
	var out []section
	for _, list := range own {
		part := section{Title: list.title, Path: list.path, Empty: list.empty}
		for _, name := range list.kinds {
			if kind, ok := kinds.Of(schema.GroupVersionKind{Group: "plait.run", Version: "v1alpha1", Kind: name}); ok {
				s.add(ctx, &part, kind, false)
			}
		}
		part.sort()
		out = append(out, part)
	}
	return slices.Insert(out, 1, s.instances(ctx, kinds)), nil
}

// instances are those of every ResourceGroup.
func (s *server) instances(ctx context.Context, kinds inspect.Kinds) section {
	part := section{Title: "Instances", Path: instancesPath, Empty: "There are no instances of any ResourceGroup."}
	for _, kind := range s.servedKinds(ctx, kinds) {
		s.add(ctx, &part, kind, true)
	}
	part.sort()
	return part
}

// servedKinds are the kinds that ResourceGroups serve, sorted; none when these may not be read.
func (s *server) servedKinds(ctx context.Context, kinds inspect.Kinds) []inspect.Kind {
	kind, ok := kinds.Of(schema.GroupVersionKind{Group: "plait.run", Version: "v1alpha1", Kind: "ResourceGroup"})
	if !ok {
		return nil
	}
	groups, err := s.store.List(ctx, kind, "", metav1.ListOptions{})
	if err != nil {
		return nil // its own list says so
	}
	var out []inspect.Kind
	for i := range groups {
		if served, ok := kinds.Of(inspect.ServedKind(&groups[i])); ok {
			out = append(out, served)
		}
	}
	slices.SortFunc(out, func(a, b inspect.Kind) int { return cmp.Compare(a.Resource.String(), b.Resource.String()) })
	return slices.CompactFunc(out, func(a, b inspect.Kind) bool { return a.Resource == b.Resource })
}

func (s *server) add(ctx context.Context, part *section, kind inspect.Kind, isInstance bool) {
	s.store.keep(kind)
	objects, err := s.store.List(ctx, kind, "", metav1.ListOptions{})
	if apierrors.IsForbidden(err) {
		part.Notes = append(part.Notes, "You may not list "+kind.Resource.GroupResource().String()+".")
		return
	}
	if err != nil {
		part.Notes = append(part.Notes, err.Error())
		return
	}
	for i := range objects {
		it := inspect.Summarise(&objects[i], isInstance)
		part.Rows = append(part.Rows, row{Item: it, Path: pathOf(kind, it.Namespace, it.Name), Note: noteOf(it)})
	}
}

func noteOf(it *inspect.Item) string {
	return strings.TrimSpace(strings.Join(append([]string{it.Message}, it.Notes...), "\n"))
}

// sort puts what is wrong first, then goes by kind, namespace and name.
func (p *section) sort() {
	slices.SortFunc(p.Rows, func(a, b row) int {
		return cmp.Or(urgency(a)-urgency(b), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

func urgency(r row) int {
	switch r.Health {
	case inspect.Bad:
		return 0
	case inspect.Busy:
		return 1
	case inspect.Good, inspect.Off, inspect.Unknown:
	}
	return 2
}

// Bad counts what needs a hand.
func (p section) Bad() int { return p.count(inspect.Bad) }

// Busy counts what is being worked on.
func (p section) Busy() int { return p.count(inspect.Busy) }

// Good counts what is well.
func (p section) Good() int { return len(p.Rows) - p.Bad() - p.Busy() }

func (p section) count(health inspect.Health) int {
	n := 0
	for _, r := range p.Rows {
		if r.Health == health {
			n++
		}
	}
	return n
}

// filtered keeps the rows that hold every word of a query.
func (p section) filtered(query string) section {
	words := strings.Fields(strings.ToLower(query))
	p.Rows = slices.DeleteFunc(slices.Clone(p.Rows), func(r row) bool {
		text := r.Search()
		return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	})
	return p
}

// stamp is a moment as the script reads it.
func stamp(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
