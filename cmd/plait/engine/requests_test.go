package engine

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/transport"
)

func TestPurposes(t *testing.T) {
	const apps = "/apis/apps.plait.run/v1alpha1/namespaces/a/webapps"
	tests := []struct {
		method, url, user string
		want              []string // verb, purpose
	}{
		{"PATCH", "/api/v1/namespaces/a/configmaps/x", "system:serviceaccount:a:b", []string{"patch", "child"}},
		{"DELETE", "/apis/apps/v1/namespaces/a/deployments/x", "system:serviceaccount:a:b", []string{"delete", "child"}},
		{"POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "system:serviceaccount:a:b", []string{"create", "review"}},
		{"POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", "", []string{"create", "review"}},
		{"PATCH", "/apis/tenancy.kcp.io/v1alpha1/workspaces/x/status", "", []string{"patch", "workspace"}},
		{"PATCH", apps + "/x", "", []string{"patch", "claim"}},
		{"PATCH", apps + "/x/status", "", []string{"patch", "status"}},
		{"GET", "/apis/apps.plait.run/v1alpha1/webapps?watch=true", "", []string{"watch", "cache"}},
		{"GET", "/api/v1/configmaps?labelSelector=a", "", []string{"get", "cache"}},
		{"GET", "/api/v1/namespaces/a", "", []string{"get", "cache"}},
		{"GET", "/api/v1/namespaces/a/serviceaccounts/b", "", []string{"get", "account"}},
		{"PATCH", "/apis/plait.run/v1alpha1/resourcegroups/x/status", "", []string{"patch", "group"}},
		{"POST", "/apis/plait.run/v1alpha1/resourcegrouprevisions", "", []string{"create", "revision"}},
		{"PUT", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/x", "", []string{"update", "definition"}},
		{"PUT", "/apis/coordination.k8s.io/v1/namespaces/plait-system/leases/x", "", []string{"update", "lease"}},
		{"POST", "/apis/events.k8s.io/v1/namespaces/a/events", "", []string{"create", "event"}},
		{"GET", "/apis", "", []string{"get", "discovery"}},
		{"GET", "/api/v1", "", []string{"get", "discovery"}},
		{"GET", "/apis/apps/v1", "", []string{"get", "discovery"}},
		{"GET", "/openapi/v3/apis/apps/v1", "", []string{"get", "discovery"}},
		{"GET", "/", "", []string{"get", "discovery"}},
	}
	for _, tt := range tests {
		req := httptest.NewRequest(tt.method, "https://here.example.com"+tt.url, nil)
		if tt.user != "" {
			req.Header.Set(transport.ImpersonateUserHeader, tt.user)
		}
		if diff := cmp.Diff(tt.want, []string{verbOf(req), purposeOf(req)}); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.method, tt.url, diff)
		}
	}
}

type answerFunc func() (*http.Response, error)

func (f answerFunc) RoundTrip(*http.Request) (*http.Response, error) { return f() }

func TestRequestsAreCounted(t *testing.T) {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "x_total"}, []string{"verb", "purpose", "result"})
	for _, tt := range []struct {
		response *http.Response
		err      error
		want     string
	}{
		{response: &http.Response{StatusCode: http.StatusOK}, want: "success"},
		{response: &http.Response{StatusCode: http.StatusConflict}, want: "error"},
		{err: errors.New("no connection"), want: "error"},
	} {
		next := answerFunc(func() (*http.Response, error) { return tt.response, tt.err })
		req := httptest.NewRequest(http.MethodGet, "https://here.example.com/api", nil)
		response, err := counted{next, requests}.RoundTrip(req)
		if response != tt.response || !errors.Is(err, tt.err) {
			t.Errorf("the answer is %v, %v", response, err)
		}
		if !requests.DeleteLabelValues("get", "discovery", tt.want) {
			t.Errorf("%v, %v does not count as %s", tt.response, tt.err, tt.want)
		}
	}
}
