package instance

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/runtime/plan"
)

// startPass begins the span of a pass over an instance.
func (c *Controller) startPass(ctx context.Context, request reconcile.Request) (context.Context, trace.Span) {
	ctx, span := c.tracer.Start(ctx, "reconcile")
	if span.IsRecording() {
		span.SetAttributes(attribute.String("plait.resource", track.ResourceName(c.gvr)), attribute.String("plait.instance", request.String()))
	}
	return ctx, span
}

// startNode begins the span of the write of one of a node's objects; end says how it went. No value of the object is in it.
func (c *Controller) startNode(ctx context.Context, o plan.Object) (_ context.Context, end func(*plan.Fault)) {
	ctx, span := c.tracer.Start(ctx, "node "+o.Node)
	if span.IsRecording() {
		span.SetAttributes(attribute.String("plait.object", o.Key.String()), attribute.String("plait.action", string(o.Action)))
	}
	return ctx, func(fault *plan.Fault) {
		if fault != nil {
			span.SetStatus(codes.Error, string(fault.Reason))
		}
		span.End()
	}
}
