package connection

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func (s *suite) serve(name string) {
	s.t.Helper()
	s.Apply(fmt.Sprintf(`
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: %[1]s}
spec:
  schema: {apiVersion: v1, kind: %[3]s, group: apps.%[2]s, spec: {size: string}, status: {endpoint: "${db.status.endpoint}"}}
  resources:
  - id: db
    template:
      apiVersion: %[2]s/v1
      kind: Database
      metadata: {name: "${schema.metadata.name}"}
      spec: {size: "${schema.spec.size}"}
    readyWhen: ["${db.status.endpoint != ''}"]
`, name, s.group, strings.ToUpper(name[:1])+name[1:]))
	s.t.Cleanup(func() {
		if _, err := s.Get("ResourceGroup", name); err == nil {
			s.Remove("ResourceGroup", name)
		}
	})
}

func TestGroupsGetWhatTheyReferTo(t *testing.T) {
	s := newSuite(t, "used")
	s.export(east, definition{Kind: "Database"})
	s.export(east, definition{Kind: "Queue"})
	s.secret(kubeconfig(t, east, tenant))
	s.serve("webshop")
	s.WaitCondition("ResourceGroup", "webshop", "KindsAvailable", "False/KindNotInstalled: not installed: Database."+s.group)
	s.connect("")
	s.WaitCondition("ResourceGroup", "webshop", "KindsAvailable", fmt.Sprintf(
		"False/KindNotInstalled: Database.%s is exported by Connection %q (pullPolicy Bound: bind it, or use Referenced)", s.group, s.name))
	s.forgetInstalled("databases", "queues")
	s.Patch("Connection", s.name, `{"spec":{"schema":{"pullPolicy":"Referenced"},"autoBind":true}}`)
	s.waitAPI("databases", "Installed/")
	s.waitAPI("queues", "Available/")
	s.WaitCondition("ResourceGroup", "webshop", "KindsAvailable", "True/Available")
	s.WaitCondition("ResourceGroup", "webshop", "GraphAccepted", "True/Valid")
	binding := s.WaitFor("ClusterBinding", s.name, func(*unstructured.Unstructured) error { return nil })
	if got := fmt.Sprint(field(t, binding, "spec", "apis")); got != "[map[name:databases."+s.group+"]]" {
		t.Errorf("the managed binding has %s", got)
	}
	s.Remove("ResourceGroup", "webshop")
	s.waitUninstalled("databases")
	s.waitAPI("databases", "Available/")
	s.WaitGone("ClusterBinding", s.name)
}
