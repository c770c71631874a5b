package front_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/plait-run/plait/cmd/plait/differ"
)

// TestDiff compares changed groups with the cluster, and sees that nothing is written.
func TestDiff(t *testing.T) {
	s := shared.Space(t, "diff")
	s.Apply(deployer)
	s.Apply(rights(s.Namespace))
	s.Apply(site(""))
	s.WaitStatus("Site", "s1", "state", "ACTIVE")
	before, err := s.Get("ConfigMap", "s1-config")
	if err != nil {
		t.Fatal(err)
	}
	same, status := plait(t, "diff", "-f", "testdata/site.yaml", "-o", "json")
	if got := read(t, same); status != 0 || got.API.State != differ.APIUnchanged || in(got, s.Namespace).IsChanged() {
		t.Errorf("the group that is served: status %d, %s", status, same)
	}

	changed := rewritten(t, "default=\"\"", "default=\"\"\n      colour: string | default=red", `      data: {name: "${schema.metadata.name}"}`, "      data: {name: other}", "correct-horse", "battery")
	out, status := plait(t, "diff", "-f", changed, "-o", "json")
	got := read(t, out)
	if status != 0 || !slices.Contains(got.API.Changes, differ.Change{Path: "spec.colour", What: "the field is new"}) {
		t.Errorf("a new field: status %d, %s", status, out)
	}
	one := in(got, s.Namespace)
	if one.As != "service account diff/deployer" || len(one.Objects) != 2 || one.Objects[0].Action != differ.Update {
		t.Errorf("the instance: %+v", one)
	}
	if !slices.Contains(one.Objects[0].Fields, differ.Field{Path: "data.name", Old: `"s1"`, New: `"other"`}) || strings.Contains(out, "battery") {
		t.Errorf("the objects: %+v", one.Objects)
	}

	broken := rewritten(t, "want: integer | default=1", "want: string | default=many", "schema.spec.want}", "int(schema.spec.want)}")
	if out, status := plait(t, "diff", "-f", broken); status != 1 || !strings.Contains(out, "! spec.want: the type changed from integer to string (breaking)") {
		t.Errorf("a breaking change: status %d\n%s", status, out)
	}
	after, err := s.Get("ConfigMap", "s1-config")
	if err != nil || after.GetResourceVersion() != before.GetResourceVersion() {
		t.Errorf("something was written: %v", err)
	}
}

// TestDiffWithoutImpersonation says who the dry runs were made as.
func TestDiffWithoutImpersonation(t *testing.T) {
	s := shared.Space(t, "diff-reader")
	s.Apply(deployer)
	s.Apply(rights(s.Namespace))
	s.Apply(site(""))
	s.WaitStatus("Site", "s1", "state", "ACTIVE")
	s.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: [{apiGroups: ["*"], resources: ["*"], verbs: [get, list]}]`)
	s.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: reader}]`)
	kubeconfig, err := shared.WriteKubeconfig("reader")
	if err != nil {
		t.Fatal(err)
	}
	out, status := plaitAs(t, kubeconfig, "diff", "-f", rewritten(t, `      data: {name: "${schema.metadata.name}"}`, "      data: {name: other}"), "-o", "json")
	one := in(read(t, out), s.Namespace)
	if status != 1 || one.As != "yourself" || one.Note != "you may not impersonate service account diff-reader/deployer" {
		t.Errorf("status %d, %+v", status, one)
	}
	if len(one.Objects) != 1 || one.Objects[0].Action != differ.Fail || !strings.Contains(one.Objects[0].Message, "cannot patch") {
		t.Errorf("who may only read has no writes refused: %+v", one.Objects)
	}
}

func read(t *testing.T, out string) differ.Report {
	t.Helper()
	var report differ.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	return report
}

// in gives the instance of a namespace.
func in(report differ.Report, namespace string) differ.Instance {
	for _, i := range report.Instances {
		if i.Namespace == namespace {
			return i
		}
	}
	return differ.Instance{}
}

// rewritten gives a file with the group of sites, in which texts are replaced.
func rewritten(t *testing.T, replace ...string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/site.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(string(text), replace[i]) {
			t.Fatalf("%q is not in the group", replace[i])
		}
	}
	file := filepath.Join(t.TempDir(), "group.yaml")
	if err := os.WriteFile(file, []byte(strings.NewReplacer(replace...).Replace(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
