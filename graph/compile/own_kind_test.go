package compile

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph/schema"
)

const ownChild = `
- id: child
  includeWhen: ["${schema.spec.depth > 0}"]
  template:
    apiVersion: apps.plait.run/v1alpha1
    kind: Thing
    metadata: {name: "${schema.metadata.name}-x"}
    spec: {depth: "${schema.spec.depth - 1}", %s}`

func ownKindCRD(t *testing.T, text string, served ...*apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	g, problems := compileWith(t, text, schema.Chain(schema.Embedded(), schema.FromCRDs(served...)))
	if g == nil {
		t.Fatalf("problems: %v", problems)
	}
	return g.CRD()
}

// TestANewInputOfTheOwnKind is used by the child in the same revision that adds it, when the kind is served without it.
func TestANewInputOfTheOwnKind(t *testing.T) {
	former := ownKindCRD(t, document(config("one", "x"), "spec: {depth: integer | default=1}"))
	next := document(fmt.Sprintf(ownChild, "colour: red"), "spec: {depth: integer | default=1, colour: string}")
	ownKindCRD(t, next, former)
	if _, problems := compileWith(t, document(fmt.Sprintf(ownChild, "color: red"), "spec: {depth: integer | default=1, colour: string}"),
		schema.Chain(schema.Embedded(), schema.FromCRDs(former))); len(problems) != 1 || problems[0].Path != "spec.resources[0].template.spec.color" {
		t.Errorf("a slip: %v", problems)
	}
}

// TestAStatusOfTheOwnStatus stays as it is however often it is compiled against what it made before.
func TestAStatusOfTheOwnStatus(t *testing.T) {
	text := document(fmt.Sprintf(ownChild, ""), "spec: {depth: integer | default=1}",
		`status: {l: ["${child.status.l}"], m: {x: "${child.status.m}", y: "${child.status.m}"}}`)
	first := ownKindCRD(t, text, ownKindCRD(t, text))
	second := ownKindCRD(t, text, first)
	if diff := cmp.Diff(first.Spec, second.Spec); diff != "" {
		t.Errorf("the definition grows:\n%s", diff)
	}
}
