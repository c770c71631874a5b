package instance

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// TestPassesAreTraced has a span for a pass, and one for each object that it writes.
func TestPassesAreTraced(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(sdktrace.NewSimpleSpanProcessor(spans)))
	b := newBench(t, wide(2), WithTracer(provider.Tracer("")))
	b.fail["patch b"] = failure(422, metav1.StatusReasonInvalid)
	b.mustRun(t)
	var got []string
	for _, span := range spans.GetSpans() {
		got = append(got, span.Name+" "+span.Status.Code.String()+" "+span.Status.Description)
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"node a Unset ", "node b Error InvalidObject", "reconcile Unset "}, got); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}
