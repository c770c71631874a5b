package install_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

// renderer builds the program that renders the chart with Helm's engine.
func renderer(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "helmtemplate")
	out, err := exec.Command("go", "-C", world.InTree("tools", "helmtemplate"), "build", "-o", program, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("building the renderer: %v\n%s", err, out)
	}
	return program
}

// render gives the objects of the chart for values, or what is said against them.
func render(t *testing.T, program, values string) (objects []*unstructured.Unstructured, complaint string) {
	t.Helper()
	cmd := exec.Command(program, "-chart", world.InTree("deploy", "chart"))
	cmd.Stdin = strings.NewReader(values)
	var out, errors strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errors
	if err := cmd.Run(); err != nil {
		return nil, errors.String()
	}
	objects, err := world.Read([]byte(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	return objects, ""
}

func TestChart(t *testing.T) {
	program := renderer(t)
	t.Run("accepted", func(t *testing.T) { testAccepted(t, program) })
	t.Run("refused", func(t *testing.T) { testRefused(t, program) })
	t.Run("pages", func(t *testing.T) { testPages(t, program) })
}

// testAccepted has the API server check strictly everything that the chart gives, but for the kinds of the Prometheus
// operator.
func testAccepted(t *testing.T, program string) {
	shared.Space(t, "team-chart")
	tests := map[string]struct {
		values     string
		has, lacks []string
	}{
		"default": {"", []string{"Deployment plait-engine", "PodDisruptionBudget plait-engine", "ClusterRoleBinding plait-engine"}, []string{"ClusterRoleBinding plait-engine-open", "NetworkPolicy plait-engine"}},
		"open":    {"rbac: {mode: open}", []string{"ClusterRoleBinding plait-engine-open"}, []string{"ClusterRoleBinding plait-engine"}},
		"everything": {
			`
rbac: {impersonateIn: [team-chart]}
networkPolicy: {enabled: true, metricsFrom: [{namespaceSelector: {}}]}
serviceMonitor: {enabled: true, labels: {release: p}}
alerts: {enabled: true}
dashboard: {enabled: true}
image: {digest: "sha256:0000000000000000000000000000000000000000000000000000000000000000"}
priorityClassName: system-cluster-critical
podLabels: {a: b}
podAnnotations: {a: b}
imagePullSecrets: [{name: a}]
nodeSelector: {a: b}
tolerations: [{operator: Exists}]
env: [{name: GOMAXPROCS, value: "2"}]
extraArgs: [--log-level=1]
engine: {defaultServiceAccount: plait-default, watchNamespaces: [a, b], clientQps: 0.5}`,
			[]string{"RoleBinding plait-impersonator", "NetworkPolicy plait-engine", "ConfigMap plait-dashboard", "PrometheusRule plait-engine"}, nil,
		},
		"little": {
			`
crds: {install: false}
admissionPolicies: {install: false}
serviceAccount: {create: false, name: mine}
podDisruptionBudget: {enabled: false}
rbac: {userRoles: false}
engine: {metricsBindAddress: "0", healthProbeBindAddress: "0", metricsSecure: false}`,
			[]string{"Deployment plait-engine"}, []string{
				"ServiceAccount mine", "ServiceAccount plait-engine", "PodDisruptionBudget plait-engine", "Service plait-engine-metrics",
				"ClusterRole plait-view", "ClusterRole plait-engine-metrics-auth", "ValidatingAdmissionPolicy plait-service-accounts",
				"CustomResourceDefinition resourcegroups.plait.run",
			},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			objects, complaint := render(t, program, tt.values)
			if complaint != "" {
				t.Fatal(complaint)
			}
			names := map[string]bool{}
			for _, o := range objects {
				names[o.GetKind()+" "+o.GetName()] = true
				checkStrictly(t, o)
			}
			for _, want := range tt.has {
				if !names[want] {
					t.Errorf("there is no %s: %v", want, names)
				}
			}
			for _, name := range tt.lacks {
				if names[name] {
					t.Errorf("there is %s", name)
				}
			}
		})
	}
}

// checkStrictly has the API server take an object in a dry run, unknown fields refused.
func checkStrictly(t *testing.T, o *unstructured.Unstructured) {
	t.Helper()
	if o.GroupVersionKind().Group == "monitoring.coreos.com" {
		return
	}
	kind := o.GetKind()
	if group := o.GroupVersionKind().Group; group != "" {
		kind += "." + group
	}
	at, err := shared.At(kind, o.GetNamespace())
	if err != nil {
		t.Error(err)
		return
	}
	options := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict}
	if _, err := at.Create(t.Context(), o, options); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Errorf("%s %s: %v", kind, o.GetName(), err)
		return
	}
	patch := metav1.ApplyOptions{FieldManager: "helm", Force: true, DryRun: []string{metav1.DryRunAll}}
	if _, err := at.Apply(t.Context(), o.GetName(), o, patch); err != nil {
		t.Errorf("%s %s: %v", kind, o.GetName(), err)
	}
}

// testRefused shows that a typing error is told, and by which name.
func testRefused(t *testing.T, program string) {
	for values, says := range map[string]string{
		"engine: {leaderElection: true}":   "leaderElection",
		"engine: {concurrentGroups: many}": "concurrentGroups",
		"rbac: {mode: wide}":               "'strict', 'open'",
		"replicas: -1":                     "replicas",
	} {
		if _, complaint := render(t, program, values); !strings.Contains(complaint, says) {
			t.Errorf("%s: %q does not tell of %s", values, complaint, says)
		}
	}
}
