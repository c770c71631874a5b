package resourcegroup

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/dynamiccontroller/wire"
)

// TestLiveCallsEnd is about an API server that does not answer: a worker must not wait for it for ever.
func TestLiveCallsEnd(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	scheme := runtime.NewScheme()
	if err := apiextensionsv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"), meta.RESTScopeRoot)
	live, err := client.New(&rest.Config{Host: server.URL}, client.Options{
		HTTPClient: wire.Bounded(server.Client(), 50*time.Millisecond), Scheme: scheme, Mapper: mapper,
	})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = definitions{kube{live: live}}.Live(t.Context(), "widgets.example.com")
	var timeout net.Error
	if !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("error %v, want a timeout", err)
	}
}
