package examples

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/test/world"
)

// isSpoiled wants an instance to say what is wrong.
func (ex example) isSpoiled(live *unstructured.Unstructured) error {
	state := "FAILED"
	if ex.waits {
		state = "IN_PROGRESS"
	}
	if err := world.HasStatus("state", state)(live); err != nil {
		return err
	}
	if said := world.Condition(live, "Ready"); !strings.Contains(said, ex.spoiled) {
		return fmt.Errorf("Ready is %s, want %q in it", said, ex.spoiled)
	}
	return nil
}

var expectedResult = regexp.MustCompile("(?s)## Expected result\n\n```yaml\n(.*?)```")

// expected is the block of a README that shows what comes of the example.
func expected(t *testing.T, folder string) string {
	t.Helper()
	readme, err := os.ReadFile(inExamples(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := expectedResult.FindSubmatch(readme)
	if block == nil {
		t.Fatalf("the README of %s shows no expected result", folder)
	}
	return string(block[1])
}

// kindsOfExamples are those whose objects an example may leave behind.
var kindsOfExamples = []schema.GroupVersionResource{
	{Version: "v1", Resource: "configmaps"}, {Version: "v1", Resource: "limitranges"}, {Version: "v1", Resource: "namespaces"},
	{Version: "v1", Resource: "persistentvolumeclaims"}, {Version: "v1", Resource: "persistentvolumes"},
	{Version: "v1", Resource: "pods"}, {Version: "v1", Resource: "resourcequotas"}, {Version: "v1", Resource: "secrets"},
	{Version: "v1", Resource: "serviceaccounts"}, {Version: "v1", Resource: "services"},
	{Group: "apps", Version: "v1", Resource: "deployments"}, {Group: "apps", Version: "v1", Resource: "replicasets"},
	{Group: "apps", Version: "v1", Resource: "statefulsets"},
	{Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers"},
	{Group: "batch", Version: "v1", Resource: "cronjobs"}, {Group: "batch", Version: "v1", Resource: "jobs"},
	{Group: "networking.k8s.io", Version: "v1", Resource: "ingresses"},
	{Group: "networking.k8s.io", Version: "v1", Resource: "networkpolicies"},
	{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"},
	{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegroups"},
	{Group: "plait.run", Version: "v1alpha1", Resource: "resourcegrouprevisions"},
}

// everything names all objects of these kinds.
func (p person) everything() []string {
	p.t.Helper()
	var names []string
	for _, gvr := range kindsOfExamples {
		list, err := p.Client.Resource(gvr).List(p.t.Context(), metav1.ListOptions{})
		if err != nil {
			p.t.Fatal(err)
		}
		for _, item := range list.Items {
			names = append(names, item.GetKind()+" "+item.GetNamespace()+"/"+item.GetName())
		}
	}
	return names
}

// nothingBut waits until all is gone that was not there before.
func (p person) nothingBut(before []string) {
	p.t.Helper()
	world.Eventually(p.t, "something is left", func() error {
		left := slices.DeleteFunc(p.everything(), func(name string) bool { return slices.Contains(before, name) })
		if len(left) > 0 {
			return fmt.Errorf("%s", strings.Join(left, ", "))
		}
		return nil
	})
}
