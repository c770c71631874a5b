// Package deploy tests what is installed beside the engine: alerts, dashboard, health script, image.
package deploy

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/VictoriaMetrics/metricsql"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func read(t *testing.T, elements ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// queries gives the expressions of alerts and dashboard, by where they stand.
func queries(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	var alerts struct {
		Groups []struct {
			Rules []struct{ Alert, Expr, For string }
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "chart/files/alerts.yaml")), &alerts); err != nil {
		t.Fatal(err)
	}
	for _, group := range alerts.Groups {
		for _, rule := range group.Rules {
			if rule.Alert == "" || rule.For == "" {
				t.Errorf("a rule has no name or no time: %+v", rule)
			}
			out["alert "+rule.Alert] = rule.Expr
		}
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "chart/files/dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			out["panel "+panel.Title+" "+target.Expr] = target.Expr
		}
	}
	return out
}

var (
	metricName = regexp.MustCompile(`\b(plait|controller_impersonation|process)_[a-z_]+`)
	grouping   = regexp.MustCompile(`by \(([^)]*)\)`)
	matcher    = regexp.MustCompile(`([a-z_]+)=~?"`)
	row        = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| [a-z]+ \\| (.*?) \\|")
	word       = regexp.MustCompile("`([a-z_]+)`")
)

// TestMetricsExist holds the queries to the reference of metrics: names, and labels that they group and choose by.
func TestMetricsExist(t *testing.T) {
	labels := map[string][]string{"process_resident_memory_bytes": {"job", "pod"}}
	for _, line := range row.FindAllStringSubmatch(read(t, "../docs/reference/metrics.md"), -1) {
		known := []string{"le"}
		for _, label := range word.FindAllStringSubmatch(line[2], -1) {
			known = append(known, label[1])
		}
		labels[line[1]] = known
	}
	all := queries(t)
	if len(all) < 20 {
		t.Fatalf("only %d queries were found", len(all))
	}
	for place, query := range all {
		metrics := metricName.FindAllString(query, -1)
		if len(metrics) == 0 {
			t.Errorf("%s: no metric in %s", place, query)
		}
		for _, metric := range metrics {
			for _, suffix := range []string{"_bucket", "_count", "_sum"} {
				metric = strings.TrimSuffix(metric, suffix)
			}
			known, ok := labels[metric]
			if !ok {
				t.Errorf("%s: there is no metric %s", place, metric)
				continue
			}
			for _, label := range labelsOf(query) {
				if !strings.Contains(" "+strings.Join(known, " ")+" ", " "+label+" ") {
					t.Errorf("%s: %s has no label %s", place, metric, label)
				}
			}
		}
	}
}

func labelsOf(query string) []string {
	var out []string
	for _, list := range grouping.FindAllStringSubmatch(query, -1) {
		out = append(out, strings.Split(strings.ReplaceAll(list[1], " ", ""), ",")...)
	}
	for _, match := range matcher.FindAllStringSubmatch(query, -1) {
		out = append(out, match[1])
	}
	return out
}

// TestQueriesAreWellFormed parses them, with a dashboard's own variables filled in.
func TestQueriesAreWellFormed(t *testing.T) {
	variables := strings.NewReplacer("$__rate_interval", "5m", "$__interval", "5m", "$__range", "1h")
	for place, query := range queries(t) {
		if _, err := metricsql.Parse(variables.Replace(query)); err != nil {
			t.Errorf("%s: %v in %s", place, err, query)
		}
	}
}

// TestImage has the image hold nothing but the program, and run as nobody.
func TestImage(t *testing.T) {
	_, last, ok := strings.Cut(read(t, "../Dockerfile"), "\nFROM gcr.io/distroless/static-debian12:nonroot\n")
	if !ok {
		t.Fatal("the image is not made of distroless static")
	}
	want := "COPY --from=build /plait /plait\nUSER 65532:65532\nENTRYPOINT [\"/plait\"]\nCMD [\"controller\"]\n"
	if diff := cmp.Diff(want, last); diff != "" {
		t.Error(diff)
	}
}

// TestKustomizationListsItsFiles has every file of the kustomization used.
func TestKustomizationListsItsFiles(t *testing.T) {
	for folder, want := range map[string][]string{
		"kustomize":                           {"base"},
		"kustomize/base":                      {"namespace.yaml", "crds.yaml", "plait.yaml"},
		"kustomize/components/monitoring":     {"monitoring.yaml"},
		"kustomize/components/network-policy": {"network-policy.yaml"},
	} {
		var k struct{ Resources []string }
		if err := yaml.Unmarshal([]byte(read(t, folder, "kustomization.yaml")), &k); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, k.Resources); diff != "" {
			t.Errorf("%s: %s", folder, diff)
		}
		for _, resource := range k.Resources {
			if _, err := os.Stat(filepath.Join(folder, resource)); err != nil {
				t.Errorf("%s: %v", folder, err)
			}
		}
	}
}
