package install_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

// kubectl gives what kubectl prints, run in a folder.
func kubectl(dir string, args ...string) (string, error) {
	assets, err := cluster.FindAssets()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(filepath.Join(assets, "kubectl"), args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

var ofPage = regexp.MustCompile("(?s)```yaml\n(apiVersion: kustomize.config.k8s.io/v1beta1\n.*?)```")

// TestKustomization has kustomize give, for the kustomization that the guide shows, what the chart gives for the same wishes.
func TestKustomization(t *testing.T) {
	page, err := os.ReadFile(world.InTree("docs", "guides", "install.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := ofPage.FindSubmatch(page)
	if shown == nil {
		t.Fatal("the page shows no kustomization")
	}
	monitored := strings.Replace(string(shown[1]), "- deploy/kustomize/components/network-policy\n",
		"- deploy/kustomize/components/network-policy\n- deploy/kustomize/components/monitoring\n", 1)
	const image = "{image: {repository: registry.example.com/plait, tag: '1'}, networkPolicy: {enabled: true}"
	program := renderer(t)
	for kustomization, values := range map[string]string{
		string(shown[1]): image + "}",
		monitored:        image + ", serviceMonitor: {enabled: true}, alerts: {enabled: true}, dashboard: {enabled: true}}",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), []byte(kustomization), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(world.InTree("deploy"), filepath.Join(dir, "deploy")); err != nil {
			t.Fatal(err)
		}
		text, err := kubectl(dir, "kustomize", ".")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		got, err := world.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want, complaint := render(t, program, values)
		if complaint != "" {
			t.Fatal(complaint)
		}
		objects := byName(got)
		delete(objects, "Namespace /plait-system") // Helm makes it by itself
		if diff := cmp.Diff(byName(want), objects); diff != "" {
			t.Error(diff)
		}
	}
}

func byName(objects []*unstructured.Unstructured) map[string]any {
	out := map[string]any{}
	for _, o := range objects {
		out[o.GetKind()+" "+o.GetNamespace()+"/"+o.GetName()] = o.Object
	}
	return out
}
