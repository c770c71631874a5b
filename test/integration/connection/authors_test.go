package connection

import (
	"context"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/test/world"
)

func bindingResource(kind string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: strings.ToLower(kind) + "s"}
}

// TestWhoMayRelate has authors of bindings refused who may not do themselves what the engine is to do for them: in their
// namespace for a Binding, in all for a ClusterBinding.
func TestWhoMayRelate(t *testing.T) {
	t.Parallel()
	s := consumer.Space(t, "authors")
	grant := func(kind, name, rules string) {
		t.Helper()
		s.Apply(fmt.Sprintf(`
apiVersion: rbac.authorization.k8s.io/v1
kind: %[1]s
metadata: {name: %[2]s}
rules: %[3]s
---
apiVersion: rbac.authorization.k8s.io/v1
kind: %[1]sBinding
metadata: {name: %[2]s}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: %[1]s, name: %[2]s}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: author}]`, kind, name, rules))
	}
	grant("ClusterRole", "write-bindings", "[{apiGroups: [plait.run], resources: [bindings, clusterbindings], verbs: ['*']}]")
	config, err := consumer.RESTConfigFor("author")
	if err != nil {
		t.Fatal(err)
	}
	author, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	at := func(kind string) dynamic.ResourceInterface {
		resource := author.Resource(bindingResource(kind))
		if kind == "Binding" {
			return resource.Namespace("authors")
		}
		return resource
	}
	try := func(kind, related string) error {
		all, err := world.Read([]byte(fmt.Sprintf("{apiVersion: plait.run/v1alpha1, kind: %s, metadata: {name: authors}, spec: {connectionRef: {name: nobody}, relatedResources: [%s]}}", kind, related)))
		if err != nil {
			return err
		}
		_, err = at(kind).Apply(context.Background(), "authors", all[0], metav1.ApplyOptions{FieldManager: "author", Force: true})
		return err
	}
	for _, kind := range []string{"Binding", "ClusterBinding"} {
		t.Cleanup(func() { _ = at(kind).Delete(context.Background(), "authors", metav1.DeleteOptions{}) })
	}
	refuses := func(kind, related, words string) {
		t.Helper()
		world.Eventually(t, kind+" is not refused", func() error {
			if err := try(kind, related); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), words) {
				return fmt.Errorf("the answer is %w, want %q", err, words)
			}
			return nil
		})
	}
	accepts := func(kind, related string) {
		t.Helper()
		world.Eventually(t, kind+" is refused", func() error { return try(kind, related) })
	}
	const up = "{resource: secrets, direction: FromConsumer, selector: {names: [a]}}"
	const down = "{resource: configmaps, direction: FromProvider, selector: {names: [a]}}"
	accepts("Binding", "")
	refuses("Binding", up, "get and list secrets in namespace authors")
	refuses("Binding", down, "create configmaps in namespace authors")
	grant("Role", "relate", "[{apiGroups: [''], resources: [secrets], verbs: [get, list]}, {apiGroups: [''], resources: [configmaps], verbs: [create]}]")
	accepts("Binding", up+", "+down)
	refuses("ClusterBinding", up, "get and list secrets in all namespaces")
	refuses("ClusterBinding", down, "create configmaps in all namespaces")
	grant("ClusterRole", "relate-everywhere", "[{apiGroups: [''], resources: [secrets], verbs: [get, list]}, {apiGroups: [''], resources: [configmaps], verbs: [create]}]")
	accepts("ClusterBinding", up+", "+down)
}
