package install_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

// keep is how a release keeps what it stores: go test ./test/integration/install -run TestUpgrade -keep 0.2.0. A file of
// testdata/stored is never changed afterwards.
var keep = flag.String("keep", "", "version as which the objects of this engine are kept")

const storedGroup = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: keeps}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Keep
    spec: {size: integer | default=2, memory: quantity | default="64Mi", zones: "[]string | default=[\"a\", \"b\"]"}
    status: {ready: "${deployment.status.readyReplicas}", zones: "${zones.size()}"}
  resources:
  - id: secret
    template:
      apiVersion: v1
      kind: Secret
      metadata: {name: "${schema.metadata.name}"}
      data: {seed: "${bytes(random.seededString(8, schema.metadata.name))}"}
  - id: zones
    forEach: [{zone: "${schema.spec.zones}"}]
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}-${zone}"}
      data: {zone: "${zone}", secret: "${secret.metadata.name}"}
  - id: deployment
    readyWhen: ["${self.isReady()}"]
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: "${schema.metadata.name}"}
      spec:
        replicas: ${schema.spec.size}
        selector: {matchLabels: {keep: "${schema.metadata.name}"}}
        template:
          metadata: {labels: {keep: "${schema.metadata.name}"}}
          spec:
            containers:
            - name: main
              image: nginx:1.27
              resources: {requests: {cpu: 1000m, memory: "${schema.spec.memory}"}}
  - id: service
    template:
      apiVersion: v1
      kind: Service
      metadata: {name: "${schema.metadata.name}"}
      spec: {clusterIP: None, selector: {keep: "${schema.metadata.name}"}, ports: [{port: 80}]}`

// children are the objects that an upgrade must not touch, kind and name.
var children = [][2]string{{"Secret", "old"}, {"ConfigMap", "old-a"}, {"ConfigMap", "old-b"}, {"Deployment", "old"}, {"Service", "old"}}

// keysOf are those of everything that makes the state of an engine.
func keysOf(revision string) []string {
	return []string{
		"/registry/plait.run/resourcegroups/keeps", "/registry/plait.run/resourcegrouprevisions/" + revision,
		"/registry/apiextensions.k8s.io/customresourcedefinitions/keeps.apps.plait.run",
		"/registry/apps.plait.run/keeps/default/old",
		"/registry/secrets/default/old", "/registry/configmaps/default/old-a", "/registry/configmaps/default/old-b",
		"/registry/deployments/default/old", "/registry/services/specs/default/old",
	}
}

// TestUpgrade starts the engine on what each earlier version has stored: nothing is written to a child, and all is ACTIVE.
func TestUpgrade(t *testing.T) {
	if *keep != "" {
		keepStored(t, *keep)
	}
	files, err := filepath.Glob("testdata/stored/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing is kept: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) { testUpgrade(t, file) })
	}
}

func testUpgrade(t *testing.T, file string) {
	// Without a controller manager, so that whatever changes was changed by the engine.
	w := world.New(t, cluster.Config{Audit: true})
	load(t, w, file)
	space := w.Space(t, "default")
	before := map[string]string{}
	for _, child := range children {
		before[child[0]+" "+child[1]] = space.WaitFor(child[0], child[1], func(*unstructured.Unstructured) error { return nil }).GetResourceVersion()
	}
	w.RunEngine(t)
	space.WaitReady("ResourceGroup", "keeps", "True")
	space.Patch("Keep", "old", `{"metadata":{"annotations":{"plait.run/reconcile-at":"after the upgrade"}}}`)
	space.WaitFor("Keep", "old", func(live *unstructured.Unstructured) error {
		if at, _, _ := unstructured.NestedString(live.Object, "status", "lastHandledReconcileAt"); at != "after the upgrade" {
			return fmt.Errorf("the last full pass was %q; status %v", at, live.Object["status"])
		}
		return world.HasStatus("state", "ACTIVE")(live)
	})
	for _, child := range children {
		live, err := space.Get(child[0], child[1])
		if err != nil {
			t.Error(err)
			continue
		}
		if name := child[0] + " " + child[1]; live.GetResourceVersion() != before[name] {
			t.Errorf("%s was written: %v", name, live.Object)
		}
	}
	if names := space.Names("ResourceGroupRevision", ""); len(names) != 1 {
		t.Errorf("the upgrade made revisions: %v", names)
	}
	space.Patch("Keep", "old", `{"spec":{"zones":["b"]}}`)
	space.WaitGone("ConfigMap", "old-a")
	space.Remove("Keep", "old")
	space.WaitGone("Deployment", "old")
}

func load(t *testing.T, w *world.World, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var objects []stored
	if err := json.Unmarshal(data, &objects); err != nil {
		t.Fatal(err)
	}
	etcd, err := storeOf(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		if err := etcd.put(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
}

// keepStored brings an instance up and writes down what is stored then.
func keepStored(t *testing.T, version string) {
	t.Helper()
	w := world.New(t, cluster.Config{ControllerManager: true, Pods: true})
	running := w.RunEngine(t)
	space := w.Space(t, "default")
	space.Apply(storedGroup)
	space.WaitReady("ResourceGroup", "keeps", "True")
	space.Apply("{apiVersion: apps.plait.run/v1alpha1, kind: Keep, metadata: {name: old}}")
	space.WaitStatus("Keep", "old", "state", "ACTIVE")
	etcd, err := storeOf(w)
	if err != nil {
		t.Fatal(err)
	}
	var objects []stored
	for _, key := range keysOf(space.Names("ResourceGroupRevision", "keeps")[0]) {
		o, err := etcd.get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, o)
	}
	data, err := json.MarshalIndent(objects, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	running.MustStop(t)
	if err := os.WriteFile(filepath.Join("testdata", "stored", version+".json"), append(data, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}
