package track

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
)

var (
	facts   = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	secrets = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	apps    = schema.GroupVersionResource{Group: "apps.plait.run", Version: "v1", Resource: "webapps"}
)

func owner(name string) Owner {
	return Owner{Resource: apps, NamespacedName: types.NamespacedName{Namespace: "a", Name: name}}
}

func named(namespace, name string) External {
	return External{Resource: facts, Namespace: namespace, Name: name}
}

func selected(namespace, selector string) External {
	return External{Resource: facts, Namespace: namespace, Selector: selector}
}

func TestInstance(t *testing.T) {
	for _, want := range []Instance{
		{Group: "apps.plait.run", Kind: "WebApp", Namespace: "a", Name: "b"},
		{Group: "apps.plait.run", Kind: "WebApp", Name: "b.c"},
	} {
		got, ok := ParseInstance(want.String())
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s, %v (-want +got):\n%s", want, ok, diff)
		}
	}
	for _, text := range []string{"", "a/b", "Kind/a/b", ".group/a/b", "Kind./a/b", "Kind.group/a/", "Kind.group/a/b/c"} {
		if got, ok := ParseInstance(text); ok {
			t.Errorf("ParseInstance(%q) = %+v, want none", text, got)
		}
	}
}

func TestReaders(t *testing.T) {
	x := NewIndex()
	x.Set(owner("byname"), nil, []External{named("a", "facts")})
	x.Set(owner("bylabel"), nil, []External{selected("a", "app=x")})
	x.Set(owner("everywhere"), nil, []External{selected("", "app=x")})
	x.Set(owner("all"), nil, []External{selected("b", "")})
	x.Set(owner("bad"), nil, []External{selected("a", "!!")})
	tests := map[string]struct {
		namespace, name string
		sets            []labels.Set
		want            []Owner
	}{
		"by name":        {"a", "facts", []labels.Set{nil}, []Owner{owner("byname")}},
		"other place":    {"c", "facts", []labels.Set{nil}, nil},
		"by label":       {"a", "x", []labels.Set{{"app": "x"}}, []Owner{owner("bylabel"), owner("everywhere")}},
		"by both":        {"a", "facts", []labels.Set{{"app": "x"}}, []Owner{owner("bylabel"), owner("byname"), owner("everywhere")}},
		"left selection": {"a", "x", []labels.Set{{"app": "x"}, {"app": "y"}}, []Owner{owner("bylabel"), owner("everywhere")}},
		"no such label":  {"a", "x", []labels.Set{{"app": "y"}}, nil},
		"all":            {"b", "x", []labels.Set{nil}, []Owner{owner("all")}},
	}
	for name, tt := range tests {
		got := x.Readers(facts, types.NamespacedName{Namespace: tt.namespace, Name: tt.name}, tt.sets...)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := x.Readers(secrets, types.NamespacedName{Namespace: "a", Name: "facts"}); got != nil {
		t.Errorf("readers of another resource: %v", got)
	}
}

func TestScopes(t *testing.T) {
	many := func(n int, key func(i int) External) (out []External) {
		for i := range n {
			out = append(out, key(i))
		}
		return out
	}
	whole, inA := Scope{Resource: facts}, Scope{Resource: facts, Namespace: "a"}
	tests := map[string]struct {
		externals []External
		want      []Scope
	}{
		"a name":          {[]External{named("a", "x")}, []Scope{{Resource: facts, Namespace: "a", Name: "x"}}},
		"a selector":      {[]External{selected("a", "k=v")}, []Scope{{Resource: facts, Namespace: "a", Selector: "k=v"}}},
		"all of it":       {[]External{selected("a", ""), named("a", "x")}, []Scope{inA}},
		"a cluster name":  {[]External{named("", "x")}, []Scope{{Resource: facts, Name: "x"}}},
		"everywhere":      {[]External{selected("", "k=v"), named("a", "x")}, []Scope{{Resource: facts, Selector: "k=v"}, {Resource: facts, Namespace: "a", Name: "x"}}},
		"all everywhere":  {[]External{selected("", ""), named("a", "x")}, []Scope{whole}},
		"9 names":         {many(9, func(i int) External { return named("a", fmt.Sprint(i)) }), []Scope{inA}},
		"9 namespaces":    {many(9, func(i int) External { return named(fmt.Sprint(i), "x") }), []Scope{whole}},
		"9 cluster names": {many(9, func(i int) External { return named("", fmt.Sprint(i)) }), []Scope{whole}},
	}
	for name, tt := range tests {
		x := NewIndex()
		x.Set(owner("o"), nil, tt.externals)
		if diff := cmp.Diff(tt.want, x.Scopes()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	x := NewIndex()
	x.Set(owner("o"), nil, many(8, func(i int) External { return named("a", fmt.Sprint(i)) }))
	if got := x.Scopes(); len(got) != 8 || got[0].Name == "" {
		t.Errorf("8 names are watched as %v, want each singly", got)
	}
}

func TestAddAndSet(t *testing.T) {
	x := NewIndex()
	if !x.Set(owner("o"), []schema.GroupVersionResource{facts}, nil) {
		t.Error("the first wish changes nothing")
	}
	if x.Set(owner("p"), []schema.GroupVersionResource{facts, facts}, nil) {
		t.Error("a second owner of the same list changes what is watched")
	}
	if !x.Add(owner("o"), nil, []External{named("a", "x")}) || len(x.Scopes()) != 2 {
		t.Errorf("Add leaves %v", x.Scopes())
	}
	if diff := cmp.Diff([]Owner{owner("o"), owner("p")}, x.Parents(facts)); diff != "" {
		t.Errorf("parents (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Owner{owner("o")}, x.Waiting(Scope{Resource: facts, Namespace: "a", Name: "x"})); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	if !x.Set(owner("o"), nil, nil) || x.Set(owner("o"), nil, nil) {
		t.Error("forgetting an owner twice")
	}
	x.Set(owner("p"), nil, nil)
	if len(x.wants)+len(x.children)+len(x.externals) != 0 {
		t.Errorf("something is left: %v %v %v", x.wants, x.children, x.externals)
	}
}

// TestScopesCover draws wishes: every key is covered by some scope, and what is changed agrees with a twin made at once.
func TestScopesCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Custom(func(t *rapid.T) External {
			e := External{Resource: facts, Namespace: rapid.SampledFrom([]string{"", "a", "b", "c", "d", "e", "f", "g", "h", "i"}).Draw(t, "namespace")}
			if rapid.Bool().Draw(t, "named") {
				e.Name = fmt.Sprint(rapid.IntRange(0, 12).Draw(t, "name"))
				return e
			}
			e.Selector = rapid.SampledFrom([]string{"", "k=v", "k=w"}).Draw(t, "selector")
			return e
		})
		x, last := NewIndex(), map[Owner][]External{}
		for range rapid.IntRange(1, 12).Draw(t, "edits") {
			o := owner(rapid.SampledFrom([]string{"o", "p", "q"}).Draw(t, "owner"))
			keys := rapid.SliceOfN(key, 0, 12).Draw(t, "keys")
			before := x.Scopes()
			changed := x.Set(o, nil, keys)
			if !changed && !cmp.Equal(before, x.Scopes()) {
				t.Fatalf("scopes changed from %v to %v unnoticed", before, x.Scopes())
			}
			last[o] = keys
		}
		twin := NewIndex()
		for o, keys := range last {
			twin.Set(o, nil, keys)
			for _, k := range keys {
				if !isCovered(x.Scopes(), k) {
					t.Fatalf("%v is not covered by %v", k, x.Scopes())
				}
			}
		}
		if diff := cmp.Diff(twin.Scopes(), x.Scopes()); diff != "" {
			t.Fatalf("scopes (-at once +step by step):\n%s", diff)
		}
	})
}

func isCovered(scopes []Scope, k External) bool {
	for _, s := range scopes {
		if s.Covers(k) {
			return true
		}
	}
	return false
}

func BenchmarkReaders(b *testing.B) {
	x := NewIndex()
	for i := range 10000 {
		x.Set(owner(fmt.Sprint(i)), nil, []External{named("a", fmt.Sprint(i)), selected("b", "k=v")})
	}
	object := types.NamespacedName{Namespace: "a", Name: "77"}
	b.ReportAllocs()
	for b.Loop() {
		if len(x.Readers(facts, object, nil)) != 1 {
			b.Fatal("not one reader")
		}
	}
}
