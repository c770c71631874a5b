package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
	"github.com/plait-run/plait/test/golden"
)

const reference = "../../../docs/reference/metrics.md"

const referenceHead = `# Metrics

What ` + "`plait controller`" + ` serves at ` + "`/metrics`" + `, beside the metrics of Go, of client-go and of controller-runtime; of those,
` + "`workqueue_queue_duration_seconds`" + ` tells how long instances wait in the queue of their kind. The label ` + "`resource`" + ` is always
` + "`resource.version.group`" + ` of a kind of instances, or of what is watched. Series go when what they tell of goes: those of a kind with
its group, those of a service account with the last instance of its namespace.

| metric | type | labels | tells |
|---|---|---|---|
`

// TestReference holds docs/reference/metrics.md against what an engine registers.
func TestReference(t *testing.T) {
	e := assembled(t)
	var lines []string
	for _, c := range e.telemetry.registered.collectors {
		descs := make(chan *prometheus.Desc, 100)
		c.Describe(descs)
		close(descs)
		for d := range descs {
			lines = append(lines, lineOf(t, d))
		}
	}
	slices.Sort(lines)
	golden.Check(t, reference, referenceHead+strings.Join(lines, ""))
}

// discovered is what an API server says of itself, as far as an engine asks while it is put together.
var discovered = map[string]string{
	"/api":    `{"kind":"APIVersions","versions":["v1"]}`,
	"/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"secrets","kind":"Secret","namespaced":true,"verbs":["list"]}]}`,
	"/apis": `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"apiextensions.k8s.io",
		"versions":[{"groupVersion":"apiextensions.k8s.io/v1","version":"v1"}]}]}`,
	"/apis/apiextensions.k8s.io/v1": `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apiextensions.k8s.io/v1",
		"resources":[{"name":"customresourcedefinitions","kind":"CustomResourceDefinition","namespaced":false,"verbs":["list"]}]}`,
}

// assembled is an engine that was put together and does not run.
func assembled(t *testing.T) *Engine {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if body, ok := discovered[r.URL.Path]; ok {
			answer(t, w, body)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(server.Close)
	options := Defaults()
	options.MetricsAddress, options.HealthAddress, options.LeaderElect = "0", "0", false
	e := &Engine{options: options, log: logr.Discard(), config: &rest.Config{Host: server.URL}, traces: noTraces()}
	if err := e.assemble(prometheus.NewRegistry()); err != nil {
		t.Fatal(err)
	}
	return e
}

var described = regexp.MustCompile(`^Desc\{fqName: "([^"]+)", help: "([^"]+)", (?:unit: "[^"]*", )?constLabels: \{\}, variableLabels: \{([^}]*)\}`)

func lineOf(t *testing.T, d *prometheus.Desc) string {
	t.Helper()
	parts := described.FindStringSubmatch(d.String())
	if parts == nil {
		t.Fatalf("cannot read %s", d)
	}
	kind := "gauge"
	switch name := parts[1]; {
	case strings.HasSuffix(name, "_age_seconds"):
	case strings.HasSuffix(name, "_total"):
		kind = "counter"
	case strings.HasSuffix(name, "_seconds") && !strings.HasSuffix(name, "_oldest_seconds"):
		kind = "histogram"
	}
	labels := ""
	if parts[3] != "" {
		labels = "`" + strings.ReplaceAll(parts[3], ",", "`, `") + "`"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s |\n", parts[1], kind, labels, strings.TrimSuffix(parts[2], "."))
}

func TestNamesOfMetrics(t *testing.T) {
	for _, c := range assembled(t).telemetry.registered.collectors {
		problems, err := testutil.CollectAndLint(c)
		if err != nil || len(problems) > 0 {
			t.Errorf("%T: %v, %v", c, problems, err)
		}
	}
}

// TestMetricsAreWithdrawn lets engines of one process follow each other.
func TestMetricsAreWithdrawn(t *testing.T) {
	registry := prometheus.NewRegistry()
	for range 2 {
		telemetry, err := newTelemetry(registry)
		if err != nil {
			t.Fatal(err)
		}
		telemetry.registered.withdraw()
	}
	if _, err := newTelemetry(registry); err != nil {
		t.Fatal(err)
	}
	if _, err := newTelemetry(registry); err == nil {
		t.Error("two engines share their metrics")
	}
}

func TestCompilationsAreMeasured(t *testing.T) {
	telemetry, err := newTelemetry(prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	for result, answer := range map[string]struct {
		graph *graph.Graph
		err   error
	}{"valid": {graph: &graph.Graph{}}, "invalid": {}, "unknown": {err: errors.New("not now")}} {
		compile := telemetry.compile(func(context.Context, *source.Group) (*graph.Graph, diag.List, error) {
			return answer.graph, diag.List{}, answer.err
		})
		if g, _, err := compile(t.Context(), nil); g != answer.graph || !errors.Is(err, answer.err) {
			t.Errorf("%s: %v, %v", result, g, err)
		}
		if !telemetry.compiles.DeleteLabelValues(result) {
			t.Errorf("no compilation counts as %s", result)
		}
	}
}
