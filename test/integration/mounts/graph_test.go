package mounts_test

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/test/world"
)

// tenants is a group whose instances can be mounted.
const tenants = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: tenants}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Tenant
    spec: {host: string, go: boolean | default=false}
    status: {URL: "${'https://' + config.data.host}"}
  resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}"}
      data: {host: "${schema.spec.host}", go: "${string(schema.spec.go)}"}
    readyWhen: ["${config.data.go == 'true'}"]`

// TestInstanceAsMount mounts an instance of a group, before the group is there, and watches its kind no second time.
func TestInstanceAsMount(t *testing.T) {
	s := newScene(t, plait, "instance")
	w := s.mount("{apiVersion: apps.plait.run/v1alpha1, kind: Tenant, name: a, namespace: instance}")
	s.says(w, "Scheduling False/MountKindNotServed", "")
	s.Apply(tenants)
	s.says(w, "Unavailable False/MountObjectNotFound", "")
	s.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: Tenant, metadata: {name: a}, spec: {host: first.example.com}}")
	s.says(w, "Unavailable False/MountObjectNotReady", first, "IN_PROGRESS")
	s.Patch("Tenant", "a", `{"spec":{"go":true}}`)
	s.says(w, isUp, first)
	world.Eventually(t, "the kind is watched twice", func() error { // it may be at first, if it was served before the graph was published
		if got := watchesOf(t, "tenants"); got != 1 {
			return fmt.Errorf("it is watched %d times", got)
		}
		return nil
	})
	s.Patch("Tenant", "a", `{"spec":{"host":"third.example.com"}}`)
	s.says(w, isUp, "https://third.example.com")
	s.Remove("Tenant", "a")
	s.says(w, "Unavailable False/MountObjectNotFound", "https://third.example.com")
	s.Remove("ResourceGroup", "tenants")
	s.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: Tenant, metadata: {name: a}, spec: {host: x}}")
	s.status("Tenant", "a", `{"state":"ACTIVE","URL":"`+first+`"}`) // the definition stays, and so does what people make of it
	s.says(w, isUp, first)
	s.Delete("Tenant", "a")
	world.Eventually(t, "the definition does not go", func() error {
		return shared.Client.Resource(definitions).Delete(context.Background(), "tenants.apps.plait.run", metav1.DeleteOptions{})
	})
	s.says(w, "Unavailable False/MountKindNotServed", first)
}

// watchesOf counts the watches of a resource that the API server has open: one for each copy.
func watchesOf(t *testing.T, resource string) int {
	t.Helper()
	client, err := rest.HTTPClientFor(shared.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Get(shared.RESTConfig().Host + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(body)) {
		if strings.HasPrefix(line, "apiserver_longrunning_requests{") && strings.Contains(line, `resource="`+resource+`"`) && strings.Contains(line, `verb="WATCH"`) {
			value, err := strconv.Atoi(line[strings.LastIndexByte(line, ' ')+1 : len(line)-1])
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			n += value
		}
	}
	return n
}
