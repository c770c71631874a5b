package engine

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// TestRequestsAreTraced makes requests in a span, and has the spans of all but the watch hang on it.
func TestRequestsAreTraced(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusConflict)
		}
	}))
	defer server.Close()
	spans := tracetest.NewInMemoryExporter()
	traces := tracesTo(sdktrace.NewSimpleSpanProcessor(spans))
	ctx, parent := traces.Start(t.Context(), "reconcile")
	client := http.Client{Transport: traced{http.DefaultTransport, traces}}
	for _, call := range [][2]string{
		{http.MethodPatch, "/api/v1/namespaces/a/configmaps/b"}, {http.MethodPost, "/api/v1/namespaces/a/configmaps"},
		{http.MethodGet, "/api/v1/configmaps?watch=true"},
	} {
		req, err := http.NewRequestWithContext(ctx, call[0], server.URL+call[1], nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
	}
	parent.End()
	var got []string
	for _, span := range spans.GetSpans() {
		if span.Name != "reconcile" && span.Parent.SpanID() != parent.SpanContext().SpanID() {
			t.Errorf("%s hangs on another span", span.Name)
		}
		got = append(got, span.Name+" "+span.Status.Code.String())
	}
	if diff := cmp.Diff([]string{"API patch Unset", "API create Error", "reconcile Unset"}, got); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}

// TestTracesNeedAnEndpoint makes no spans without one, and does not wait for one that does not answer.
func TestTracesNeedAnEndpoint(t *testing.T) {
	none, err := newTraces(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, span := none.Start(t.Context(), "reconcile"); span.IsRecording() {
		t.Error("spans are made for nobody")
	}
	some, err := newTraces(t.Context(), "http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	_, span := some.Start(t.Context(), "reconcile")
	if !span.IsRecording() {
		t.Error("no spans are made")
	}
	span.End()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = some.flush(ctx) // nothing answers there
}
