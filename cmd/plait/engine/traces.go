package engine

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// flushTime bounds the delivery of the last spans when the engine stops.
const flushTime = 5 * time.Second

// traces makes spans and delivers them.
type traces struct {
	trace.Tracer
	// flush delivers what is left.
	flush func(context.Context) error
}

// noTraces makes no spans.
func noTraces() traces {
	return traces{noop.NewTracerProvider().Tracer(""), func(context.Context) error { return nil }}
}

// newTraces delivers spans by OTLP to an endpoint; without one there are none. An endpoint that does not answer costs
// spans, and nothing else.
func newTraces(ctx context.Context, endpoint string) (traces, error) {
	if endpoint == "" {
		return noTraces(), nil
	}
	exporter, err := otlptracegrpc.New(ctx, otlptracegrpc.WithEndpointURL(endpoint))
	if err != nil {
		return traces{}, fmt.Errorf("preparing traces for %q: %w", endpoint, err)
	}
	return tracesTo(sdktrace.NewBatchSpanProcessor(exporter)), nil
}

func tracesTo(processor sdktrace.SpanProcessor) traces {
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithSpanProcessor(processor),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", "plait"))),
	)
	return traces{provider.Tracer("github.com/plait-run/plait"), provider.Shutdown}
}

// end delivers the last spans; that it could not is no fault of a run.
func (t traces) end(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
	defer cancel()
	_ = t.flush(ctx)
}

// traced makes a span of each request but watches, which end when nobody can tell.
type traced struct {
	next   http.RoundTripper
	tracer trace.Tracer
}

// RoundTrip is part of http.RoundTripper.
func (t traced) RoundTrip(req *http.Request) (*http.Response, error) {
	verb := verbOf(req)
	if verb == "watch" {
		return t.next.RoundTrip(req)
	}
	ctx, span := t.tracer.Start(req.Context(), "API "+verb, trace.WithSpanKind(trace.SpanKindClient))
	defer span.End()
	if !span.IsRecording() {
		return t.next.RoundTrip(req)
	}
	span.SetAttributes(attribute.String("http.request.method", req.Method), attribute.String("url.path", req.URL.Path),
		attribute.String("plait.purpose", purposeOf(req)))
	resp, err := t.next.RoundTrip(req.WithContext(ctx))
	switch {
	case err != nil:
		span.SetStatus(codes.Error, err.Error())
	case resp.StatusCode >= http.StatusBadRequest:
		span.SetStatus(codes.Error, resp.Status)
	}
	if resp != nil {
		span.SetAttributes(attribute.Int("http.response.status_code", resp.StatusCode))
	}
	return resp, err
}

// WrappedRoundTripper gives the round tripper below, for those who look for its connections.
func (t traced) WrappedRoundTripper() http.RoundTripper { return t.next }

// traceFaults names what is wrong with the endpoint.
func (o *Tuning) traceFaults() []error {
	if o.TracesEndpoint == "" {
		return nil
	}
	if u, err := url.Parse(o.TracesEndpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return []error{fmt.Errorf("--traces-endpoint: %q is no URL such as http://localhost:4317", o.TracesEndpoint)}
	}
	return nil
}
