package drain

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestPatchFor(t *testing.T) {
	tests := map[string]struct {
		finalizers []string
		want       string // empty: none
	}{
		"no finalizer":       {},
		"others'":            {finalizers: []string{"example.com/a", "foregroundDeletion"}},
		"ours":               {[]string{"plait.run/instance"}, `{"metadata":{"finalizers":[],"resourceVersion":"7","uid":"u"}}`},
		"ours among others'": {[]string{"a", "plait.run/sync", "b", "plait.run/cleanup"}, `{"metadata":{"finalizers":["a","b"],"resourceVersion":"7","uid":"u"}}`},
		"a longer group":     {finalizers: []string{"plait.running/x", "apps.plait.run/x"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			object := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{UID: "u", ResourceVersion: "7", Finalizers: tt.finalizers}}
			patch, ok := patchFor(object)
			if diff := cmp.Diff(tt.want, string(patch)); diff != "" || ok != (tt.want != "") {
				t.Errorf("ok is %v; %s", ok, diff)
			}
		})
	}
}

func TestPlacesOf(t *testing.T) {
	definition := func(group, plural string, labels map[string]string, served bool) apiextensionsv1.CustomResourceDefinition {
		crd := apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Labels: labels}}
		crd.Spec.Group, crd.Spec.Names.Plural = group, plural
		crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v0"}, {Name: "v1", Served: served}}
		return crd
	}
	var got []string
	for _, p := range placesOf([]apiextensionsv1.CustomResourceDefinition{
		definition("plait.run", "resourcegroups", nil, true),
		definition("plait.run", "connections", nil, true),
		definition("example.com", "strangers", map[string]string{"plait.run/managed": "false"}, true),
		definition("apps.plait.run", "webapps", map[string]string{"plait.run/resource-group-uid": "u"}, true),
		definition("apps.plait.run", "retired", map[string]string{"plait.run/resource-group-uid": "u"}, false),
		definition("db.example.com", "databases", map[string]string{"plait.run/managed": "true"}, true),
	}) {
		got = append(got, p.resource.String())
	}
	want := []string{
		"apps.plait.run/v1, Resource=webapps", "db.example.com/v1, Resource=databases",
		"plait.run/v1, Resource=connections", "plait.run/v1, Resource=resourcegroups",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
