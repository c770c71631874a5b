package documents_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// namespaces are those that the pages speak of.
const namespaces = "for name in team-a infra argocd plait plait-system; do kubectl create namespace $name; done"

// aGroup is what a part of a group that a page shows is put into.
const aGroup = `apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: parts.apps.plait.run}
spec:
  schema: {apiVersion: v1alpha1, kind: Part}
  resources:
  - id: settings
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
`

// testYAML has the API server check strictly every block of YAML, and plait validate every group.
func testYAML(t *testing.T, r *reader) {
	r.must(t, namespaces)
	checked := 0
	for _, b := range blocks(t) {
		if b.language != "yaml" || b.page == tutorial || b.isExpectation() {
			continue
		}
		r.save(t, b) // for those who follow the page
		if isElsewhere(b) {
			continue
		}
		text := b.text
		if part, ok := strings.CutPrefix(text, "spec:\n"); ok {
			text = aGroup + part
		}
		if strings.Contains(text, "kind: Greeting\nmetadata") {
			continue // the README has plait dev apply it, together with its group
		}
		checked++
		file := r.at("checked", filepath.Base(b.page)+".yaml")
		r.write(t, file, text, 0o600)
		script := "kubectl apply --dry-run=server --validate=strict -f " + file
		if strings.Contains(text, "kind: ResourceGroup\n") {
			script += "; plait validate -f " + file
		}
		if shown, err := r.run(t, script); err != nil {
			t.Errorf("%s\n%s", b, shown)
		}
	}
	if checked < 10 {
		t.Errorf("only %d blocks were found", checked)
	}
}

func isElsewhere(b block) bool {
	for _, e := range elsewhere {
		if e.page == b.page && e.first == b.first() {
			return true
		}
	}
	return false
}
