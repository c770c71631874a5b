package engine

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
)

func TestDefinitionsAreOfServedKinds(t *testing.T) {
	connections := []string{"bindings.plait.run", "clusterbindings.plait.run", "connections.plait.run"}
	groups := []string{"resourcegrouprevisions.plait.run", "resourcegroups.plait.run"}
	for name, tt := range map[string]struct {
		options Options
		want    []string
	}{
		"instances":     {Options{Enable: []string{"instances"}}, groups},
		"mounts":        {Options{Enable: []string{"mounts"}, Workspaces: Workspaces{WorkspaceAPIs: []string{"plait.run/v1alpha1"}}}, []string{"workspaces.plait.run"}},
		"mounts of kcp": {Options{Enable: []string{"mounts"}, Workspaces: Workspaces{WorkspaceAPIs: []string{"tenancy.kcp.io/v1alpha1"}}}, nil},
		"connections":   {Options{Enable: []string{"connections"}}, connections},
		"everything":    {Defaults(), slices.Concat(connections, groups, []string{"workspaces.plait.run"})},
	} {
		own, err := definitions(tt.options.kinds())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, d := range own {
			names = append(names, d.name)
		}
		if diff := cmp.Diff(tt.want, names); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestCheckCRDs(t *testing.T) {
	tests := map[string]struct {
		status map[string]int // by the name of the definition; 200 for others
		want   []string
	}{
		"installed": {},
		"missing": {
			map[string]int{"resourcegroups.plait.run": http.StatusNotFound},
			[]string{`the CustomResourceDefinition "resourcegroups.plait.run" is not installed: start with --install-crds`},
		},
		"all missing": {
			map[string]int{"resourcegroups.plait.run": http.StatusNotFound, "resourcegrouprevisions.plait.run": http.StatusNotFound},
			[]string{
				`the CustomResourceDefinition "resourcegrouprevisions.plait.run" is not installed: start with --install-crds`,
				`the CustomResourceDefinition "resourcegroups.plait.run" is not installed: start with --install-crds`,
			},
		},
		"not allowed": {
			map[string]int{"resourcegroups.plait.run": http.StatusForbidden},
			[]string{`looking for "resourcegroups.plait.run": refused`},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				asked := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
				code, ok := tt.status[asked]
				if !ok {
					answer(t, w, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"`+asked+`"}}`)
					return
				}
				w.WriteHeader(code)
				reason := map[int]string{http.StatusNotFound: "NotFound", http.StatusForbidden: "Forbidden"}[code]
				answer(t, w, `{"apiVersion":"v1","kind":"Status","status":"Failure","message":"refused","reason":"`+reason+`"}`)
			}))
			defer server.Close()
			var got []string
			if err := checkCRDs(t.Context(), &rest.Config{Host: server.URL}, (&Options{Enable: []string{partInstances}}).kinds()); err != nil {
				got = strings.Split(err.Error(), "\n")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func answer(t *testing.T, w http.ResponseWriter, body string) {
	t.Helper()
	if _, err := w.Write([]byte(body)); err != nil {
		t.Errorf("answering: %v", err)
	}
}

func TestIsEstablished(t *testing.T) {
	with := func(kind apiextensionsv1.CustomResourceDefinitionConditionType, status apiextensionsv1.ConditionStatus) runtime.Object {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		crd.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{{Type: kind, Status: status}}
		return crd
	}
	for name, tt := range map[string]struct {
		object runtime.Object
		want   bool
	}{
		"new":          {&apiextensionsv1.CustomResourceDefinition{}, false},
		"names only":   {with(apiextensionsv1.NamesAccepted, apiextensionsv1.ConditionTrue), false},
		"not yet":      {with(apiextensionsv1.Established, apiextensionsv1.ConditionFalse), false},
		"established":  {with(apiextensionsv1.Established, apiextensionsv1.ConditionTrue), true},
		"other object": {&apiextensionsv1.CustomResourceDefinitionList{}, false},
	} {
		if got, err := isEstablished(watch.Event{Type: watch.Modified, Object: tt.object}); got != tt.want || err != nil {
			t.Errorf("%s: %v, %v; want %v", name, got, err, tt.want)
		}
	}
}
