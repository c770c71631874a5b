package identity_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/dynamiccontroller/identity"
)

// TestSubjectMay asks for a user of whom an object tells, once, and again when it was forgotten.
func TestSubjectMay(t *testing.T) {
	var asked []authorizationv1.SubjectAccessReviewSpec
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		review := authorizationv1.SubjectAccessReview{}
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			t.Error(err)
		}
		asked = append(asked, review.Spec)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","status":{"allowed":%v,"reason":"so"}}`, review.Spec.User == "ann")
	}))
	defer server.Close()
	// Text, since the test reads it.
	clients, err := identity.NewClients(&rest.Config{Host: server.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rights, err := identity.NewRights(clients)
	if err != nil {
		t.Fatal(err)
	}
	req := identity.Request{Verb: "get", Resource: schema.GroupVersionResource{Group: "a", Version: "v1", Resource: "bs"}, Namespace: "n", Name: "x"}
	ann := identity.Subject{Username: "ann", UID: "1", Groups: []string{"crew"}, Extra: map[string][]string{"k": {"v"}}}
	ask := func(s identity.Subject, want bool) {
		t.Helper()
		allowed, reason, err := rights.SubjectMay(t.Context(), s, req)
		if allowed != want || reason != "so" || err != nil {
			t.Errorf("%s: %v, %q, %v", s.Username, allowed, reason, err)
		}
	}
	ask(ann, true)
	ask(ann, true)
	ask(identity.Subject{Username: "bob"}, false)
	rights.ForgetSubject(ann)
	ask(ann, true)
	of := &authorizationv1.ResourceAttributes{Verb: "get", Group: "a", Version: "v1", Resource: "bs", Namespace: "n", Name: "x"}
	spec := authorizationv1.SubjectAccessReviewSpec{User: "ann", UID: "1", Groups: []string{"crew"}, Extra: map[string]authorizationv1.ExtraValue{"k": {"v"}}, ResourceAttributes: of}
	want := []authorizationv1.SubjectAccessReviewSpec{spec, {User: "bob", ResourceAttributes: of}, spec}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}
