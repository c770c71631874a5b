package instance

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// Values of the label result of applies.
const (
	applyWritten = "written"
	applySkipped = "skipped"
	applyFailed  = "failed"
)

// Metrics is what the controllers of all kinds tell of their work; nil tells nothing. It is a prometheus.Collector.
type Metrics struct {
	outcomes    *prometheus.CounterVec
	applies     *prometheus.CounterVec
	repairs     *prometheus.CounterVec
	evaluations *prometheus.HistogramVec
	faults      *prometheus.CounterVec
	expressions *prometheus.CounterVec
	cost        *prometheus.CounterVec
}

// NewMetrics gives metrics without any series.
func NewMetrics() *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, append([]string{"resource"}, labels...))
	}
	return &Metrics{
		outcomes: counter("plait_node_outcomes_total", "Changes of the state of nodes, by the new state.", "state"),
		applies: counter("plait_applies_total",
			"Objects that a pass wanted, by result: written, skipped (the cluster holds them already), failed.", "result"),
		repairs: counter("plait_drift_repairs_total", "Children that somebody else had changed, and that were changed back."),
		evaluations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plait_evaluation_duration_seconds", Help: "Duration of the evaluation of an instance's expressions.",
			Buckets: []float64{.0001, .0005, .001, .005, .01, .05, .1, 1},
		}, []string{"resource"}),
		faults:      counter("plait_evaluation_errors_total", "Nodes and status fields whose expressions failed in an evaluation."),
		expressions: counter("plait_expression_evaluations_total", "Expressions that were evaluated."),
		cost:        counter("plait_expression_cost_total", "Cost of the expressions that were evaluated, in CEL's units; simple ones count as none."),
	}
}

func (m *Metrics) parts() []prometheus.Collector {
	return []prometheus.Collector{m.outcomes, m.applies, m.repairs, m.evaluations, m.faults, m.expressions, m.cost}
}

// Describe is part of prometheus.Collector.
func (m *Metrics) Describe(out chan<- *prometheus.Desc) {
	for _, part := range m.parts() {
		part.Describe(out)
	}
}

// Collect is part of prometheus.Collector.
func (m *Metrics) Collect(out chan<- prometheus.Metric) {
	for _, part := range m.parts() {
		part.Collect(out)
	}
}

// Forget drops the series of a kind of instances, named resource.version.group.
func (m *Metrics) Forget(resource string) {
	labels := prometheus.Labels{"resource": resource}
	for _, part := range m.parts() {
		if vector, ok := part.(interface{ DeletePartialMatch(prometheus.Labels) int }); ok {
			vector.DeletePartialMatch(labels)
		}
	}
}

// Evaluate measures evaluations.
func (m *Metrics) Evaluate(next EvaluateFunc) EvaluateFunc {
	return func(ctx context.Context, in runtime.Input) (plan.Plan, *runtime.Memo) {
		began, usage := time.Now(), &expr.Usage{}
		in.Limits.Expression.Usage = usage
		out, memo := next(ctx, in)
		resource := track.ResourceName(in.Graph.Resource())
		m.expressions.WithLabelValues(resource).Add(float64(usage.Evaluations))
		m.cost.WithLabelValues(resource).Add(float64(usage.Cost))
		m.evaluations.WithLabelValues(resource).Observe(time.Since(began).Seconds())
		faults := len(out.Faults)
		for _, n := range out.Nodes {
			if n.State == plan.Failed && n.Reason == plan.ReasonEvaluationFailed {
				faults++
			}
		}
		m.faults.WithLabelValues(resource).Add(float64(faults))
		return out, memo
	}
}

// tell counts what a pass has come to; before is what the pass before it came to.
func (m *Metrics) tell(gvr schema.GroupVersionResource, p *pass, before InstanceState) {
	if m == nil || !p.evaluated {
		return
	}
	resource, kept := track.ResourceName(gvr), 0
	for _, n := range p.plan.Nodes {
		if last := before.ResourceStates[n.ID]; last == nil || last.State != v1alpha1.NodeState(n.State) {
			m.outcomes.WithLabelValues(resource, string(n.State)).Inc()
		}
		for _, o := range n.Objects {
			if o.Action == plan.Keep && p.writes[o.Key] == 0 {
				kept++
			}
		}
	}
	m.applies.WithLabelValues(resource, applySkipped).Add(float64(kept))
}

func (m *Metrics) applied(gvr schema.GroupVersionResource, fault *plan.Fault) {
	if m == nil {
		return
	}
	result := applyWritten
	if fault != nil {
		result = applyFailed
	}
	m.applies.WithLabelValues(track.ResourceName(gvr), result).Inc()
}

func (m *Metrics) repaired(gvr schema.GroupVersionResource) {
	if m != nil {
		m.repairs.WithLabelValues(track.ResourceName(gvr)).Inc()
	}
}
