package inspect

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func kindsOfACluster() Kinds {
	verbs := metav1.Verbs{"get", "list"}
	return NewKinds([]*metav1.APIResourceList{
		{GroupVersion: "v1", APIResources: []metav1.APIResource{
			{Name: "configmaps", SingularName: "configmap", Kind: "ConfigMap", Namespaced: true, ShortNames: []string{"cm"}, Verbs: verbs},
			{Name: "bindings", SingularName: "binding", Kind: "Binding", Namespaced: true, Verbs: metav1.Verbs{"create"}},
			{Name: "events", SingularName: "event", Kind: "Event", Namespaced: true, Verbs: verbs},
		}},
		{GroupVersion: "events.k8s.io/v1", APIResources: []metav1.APIResource{
			{Name: "events", SingularName: "event", Kind: "Event", Namespaced: true, Verbs: verbs},
		}},
		{GroupVersion: "plait.run/v1alpha1", APIResources: []metav1.APIResource{
			{Name: "bindings", SingularName: "binding", Kind: "Binding", Namespaced: true, ShortNames: []string{"pbinding"}, Verbs: verbs},
			{Name: "workspaces", SingularName: "workspace", Kind: "Workspace", Verbs: verbs},
			{Name: "workspaces/status", Kind: "Workspace", Verbs: verbs},
		}},
		{GroupVersion: "tenancy.kcp.io/v1alpha1", APIResources: []metav1.APIResource{
			{Name: "workspaces", SingularName: "workspace", Kind: "Workspace", Verbs: verbs},
		}},
		{GroupVersion: "a.example.com/v1", APIResources: []metav1.APIResource{
			{Name: "databases", SingularName: "database", Kind: "Database", Namespaced: true, ShortNames: []string{"db"}, Verbs: verbs},
		}},
		{GroupVersion: "a.example.com/v1beta1", APIResources: []metav1.APIResource{
			{Name: "databases", SingularName: "database", Kind: "Database", Namespaced: true, ShortNames: []string{"db"}, Verbs: verbs},
		}},
		{GroupVersion: "b.example.com/v1", APIResources: []metav1.APIResource{
			{Name: "databases", SingularName: "database", Kind: "Database", Namespaced: true, Verbs: verbs},
		}},
	})
}

func TestFind(t *testing.T) {
	for word, want := range map[string]string{
		"cm":                              "configmaps.v1.",
		"ConfigMap":                       "configmaps.v1.",
		"configmap":                       "configmaps.v1.",
		"configmaps":                      "configmaps.v1.",
		"binding":                         "bindings.v1alpha1.plait.run",
		"pbinding":                        "bindings.v1alpha1.plait.run",
		"workspace":                       "workspaces.v1alpha1.plait.run",
		"workspace.tenancy.kcp.io":        "workspaces.v1alpha1.tenancy.kcp.io",
		"db":                              "databases.v1.a.example.com",
		"databases.b.example.com":         "databases.v1.b.example.com",
		"databases.v1beta1.a.example.com": "databases.v1beta1.a.example.com",
		"Database.a.example.com":          "databases.v1.a.example.com",

		"database": `"database" may mean databases.a.example.com or databases.b.example.com: write one of them`,
		"event":    `"event" may mean events or events.events.k8s.io: write one of them`,
		"databse":  `this cluster has no kind "databse". Did you mean database or databases?`,
		"nothing":  `this cluster has no kind "nothing".`,
		"":         `this cluster has no kind "".`,
	} {
		kind, err := kindsOfACluster().Find(word)
		got := kind.Resource.Resource + "." + kind.Resource.Version + "." + kind.Resource.Group
		if err != nil {
			if !errors.As(err, new(UnknownKindError)) {
				t.Errorf("%q: the error is a %T", word, err)
			}
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", word, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	want := []string{"binding", "database", "workspace", "configmap", "event"}
	if diff := cmp.Diff(want, kindsOfACluster().Names()); diff != "" {
		t.Error(diff)
	}
}
