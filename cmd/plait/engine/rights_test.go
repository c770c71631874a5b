package engine

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/client-go/rest"
)

// TestMay asks for the cluster first, and for single namespaces only where the engine is limited to them.
func TestMay(t *testing.T) {
	tests := map[string]struct {
		watched, granted []string // namespaces
		want             bool
		asked            []string
	}{
		"everywhere":                 {nil, []string{""}, true, []string{""}},
		"nowhere":                    {nil, nil, false, []string{""}},
		"everywhere, limited":        {[]string{"a", "b"}, []string{""}, true, []string{""}},
		"in all that are watched":    {[]string{"a", "b"}, []string{"a", "b"}, true, []string{"", "a", "b"}},
		"in one that is watched":     {[]string{"a", "b"}, []string{"b"}, false, []string{"", "a"}},
		"in one that is not watched": {nil, []string{"a"}, false, []string{""}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var asked []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				review := authorizationv1.SelfSubjectAccessReview{}
				if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
					t.Error(err)
				}
				namespace := review.Spec.ResourceAttributes.Namespace
				asked = append(asked, namespace)
				review.APIVersion, review.Kind = "authorization.k8s.io/v1", "SelfSubjectAccessReview"
				review.Status.Allowed = slices.Contains(tt.granted, namespace)
				w.Header().Set("Content-Type", "application/json")
				if err := json.NewEncoder(w).Encode(review); err != nil {
					t.Error(err)
				}
			}))
			defer server.Close()
			config := &rest.Config{Host: server.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
			rights, err := newOwnRights(config, tt.watched)
			if err != nil {
				t.Fatal(err)
			}
			got, err := rights.may(t.Context(), authorizationv1.ResourceAttributes{Verb: "list", Resource: "pods"})
			if err != nil || got != tt.want {
				t.Errorf("may = %v, %v; want %v", got, err, tt.want)
			}
			if diff := cmp.Diff(tt.asked, asked); diff != "" {
				t.Errorf("asked for (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAttributesOfRules(t *testing.T) {
	rules := []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"list", "watch"}},
		{APIGroups: []string{"example.com"}, Resources: []string{"webs", "webs/status"}, Verbs: []string{"patch"}},
	}
	var got []string
	for _, a := range attributesOf(rules) {
		got = append(got, nameOf(a))
	}
	want := []string{"list pods", "watch pods", "patch webs.example.com", "patch webs.example.com/status"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}
