package v1alpha1_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/api/v1alpha1"
)

// The scheme knows exactly the kinds that there are generated CRDs of, and their lists.
func TestSchemeKnowsEveryKind(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	var got []string
	for kind, typ := range scheme.KnownTypes(v1alpha1.GroupVersion) {
		if strings.HasSuffix(typ.PkgPath(), "/api/v1alpha1") {
			got = append(got, kind)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(generatedKinds(t), got); diff != "" {
		t.Errorf("kinds in the scheme (-generated +scheme):\n%s", diff)
	}
}

// generatedKinds reads kinds and list kinds from the generated CRDs, sorted.
func generatedKinds(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../config/crd/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated CRDs: %v", err)
	}
	var kinds []string
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var crd struct {
			Spec struct {
				Names struct{ Kind, ListKind string }
			}
		}
		if err := yaml.Unmarshal(content, &crd); err != nil {
			t.Fatalf("decoding %s: %v", file, err)
		}
		kinds = append(kinds, crd.Spec.Names.Kind, crd.Spec.Names.ListKind)
	}
	slices.Sort(kinds)
	return kinds
}

const everything = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata:
  name: webapps.apps.example.com
spec:
  crdDeletion: Retain
  defaultServiceAccounts:
    '*': plait-default
    team-a: deployer
  deletionPolicy: Wait
  ownerReferences: Set
  pinning: Denied
  resources:
  - dependsOn:
    - names
    forEach:
    - zone: ${schema.spec.zones}
    id: deployment
    includeWhen:
    - ${true}
    lifecycle:
      adoption: Never
      conflict: Force
      deletion: Delete
      ignoreFields:
      - spec.replicas
      recreate: Never
    readyWhen:
    - ${self.isReady()}
    template:
      apiVersion: apps/v1
      kind: Deployment
  - externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: cluster-facts
        namespace: platform
    id: settings
  - def:
      base: ${schema.metadata.name}
    id: names
  schema:
    additionalPrinterColumns:
    - jsonPath: .spec.a
      name: A
      type: string
    apiVersion: v1alpha1
    categories:
    - platform
    group: apps.example.com
    kind: WebApp
    metadata:
      labels:
        plait.run/exported: "true"
    plural: webapps
    scope: Namespaced
    shortNames:
    - wa
    spec:
      a: string
    status:
      b: ${names.base}
    types:
      T:
        c: integer
    validations:
    - message: a
      rule: self.a != ''
status: {}
`

// Every field of the language is known to the types, under its name, and survives them.
func TestResourceGroupRoundTrip(t *testing.T) {
	group := v1alpha1.ResourceGroup{}
	if err := yaml.UnmarshalStrict([]byte(everything), &group); err != nil {
		t.Fatal(err)
	}
	again, err := yaml.Marshal(group.DeepCopy())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSpace(everything), strings.TrimSpace(string(again))); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
}

func TestKindAndResource(t *testing.T) {
	if got, want := v1alpha1.Kind(v1alpha1.KindWorkspace), (metav1.GroupKind{Group: "plait.run", Kind: "Workspace"}); got.String() != want.String() {
		t.Errorf("Kind: %s, want %s", got.String(), want.String())
	}
	if got, want := v1alpha1.Resource("workspaces").String(), "workspaces.plait.run"; got != want {
		t.Errorf("Resource: %s, want %s", got, want)
	}
}
