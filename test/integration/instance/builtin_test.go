package instance_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

// builtins is a group of the kinds that the API server defaults most, with quantities and numbers written in other ways
// than it writes them.
const builtins = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: builtin}
spec:
  crdDeletion: Delete
  schema: {apiVersion: v1, kind: Builtin, group: test.example.com, spec: {image: string | default="example.com/web:1"}}
  resources:
  - id: web
    lifecycle: {ignoreFields: [spec.replicas]}
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: "${schema.metadata.name}-web"}
      spec:
        replicas: 2
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
            - name: main
              image: ${schema.spec.image}
              ports: [{containerPort: 80}, {containerPort: 443, name: https, protocol: TCP}]
              env: [{name: A, value: "1"}, {name: EMPTY, value: ""}]
              resources: {requests: {cpu: "0.5", memory: 1024Mi}, limits: {cpu: 1000m, memory: 1.5Gi}}
              livenessProbe: {httpGet: {port: https, path: /}, periodSeconds: 5}
            volumes: [{name: scratch, emptyDir: {sizeLimit: "0.5Gi"}}]
  - id: db
    template:
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: "${schema.metadata.name}-db"}
      spec:
        serviceName: db
        selector: {matchLabels: {app: db}}
        template:
          metadata: {labels: {app: db}}
          spec: {containers: [{name: main, image: "example.com/db:1", resources: {requests: {cpu: "0.1"}}}]}
        volumeClaimTemplates:
        - metadata: {name: data}
          spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}
  - id: service
    template:
      apiVersion: v1
      kind: Service
      metadata: {name: "${schema.metadata.name}-web"}
      spec: {selector: {app: web}, ports: [{name: http, port: 80}, {name: https, port: 443, targetPort: https}]}
  - id: ingress
    template:
      apiVersion: networking.k8s.io/v1
      kind: Ingress
      metadata: {name: "${schema.metadata.name}-web"}
      spec: {rules: [{host: example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: "${service.metadata.name}", port: {number: 80}}}}]}}]}
  - id: job
    template:
      apiVersion: batch/v1
      kind: Job
      metadata: {name: "${schema.metadata.name}-job"}
      spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/job:1", resources: {requests: {cpu: "0.25"}}}]}}}
  - id: cron
    template:
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: "${schema.metadata.name}-cron"}
      spec: {schedule: "0 0 1 1 *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: "example.com/job:1"}]}}}}}
  - id: claim
    template:
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: {name: "${schema.metadata.name}-claim"}
      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: "0.5Gi"}}}
  - id: scaler
    template:
      apiVersion: autoscaling/v2
      kind: HorizontalPodAutoscaler
      metadata: {name: "${schema.metadata.name}-web"}
      spec:
        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: "${web.metadata.name}"}
        maxReplicas: 9
        metrics: [{type: Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: "0.5"}}}]
  - id: policy
    template:
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: "${schema.metadata.name}-web"}
      spec: {podSelector: {matchLabels: {app: web}}, ingress: [{ports: [{port: 80}]}]}
  - id: account
    template:
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: "${schema.metadata.name}-web"}
  - id: role
    template:
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: "${schema.metadata.name}-web"}
      rules: [{apiGroups: [""], resources: [configmaps], verbs: [get]}]
  - id: space
    template:
      apiVersion: v1
      kind: Namespace
      metadata: {name: "${schema.metadata.name}-space"}
`

// restTime is how long a settled engine is watched.
const restTime = 20 * time.Second

// TestBuiltInKindsComeToRest also sees that a scaler and the engine do not fight over replicas.
func TestBuiltInKindsComeToRest(t *testing.T) {
	w := newWorld(t)
	shared.RunEngine(t)
	const kind = "Builtin"
	w.Apply(builtins)
	w.WaitStatus("ResourceGroup", "builtin", "state", "Active")
	requests := shared.NewLedger(t)
	w.Apply(instanceOf("Builtin", "a", ""))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	w.waitReplicas("a-web", 2)
	spend(t, requests, "bringing up", 12+3)
	w.rest(requests)

	scale := []byte(`{"spec":{"replicas":5}}`)
	if _, err := w.At("Deployment").Patch(context.Background(), "a-web", types.MergePatchType, scale, metav1.PatchOptions{FieldManager: "scaler"}, "scale"); err != nil {
		t.Fatal(err)
	}
	w.waitReplicas("a-web", 5)
	w.Apply(instanceOf("Builtin", "a", "image: example.com/web:2"))
	w.WaitStatus(kind, "a", "state", "ACTIVE")
	w.waitReplicas("a-web", 5)
	spend(t, requests, "an edit beside a scaler", 2)

	w.Delete(kind, "a")
	w.WaitGone(kind, "a")
	spend(t, requests, "deleting", 12+2+1) // a namespace takes long enough to be named
}

// rest sees that a settled engine asks for nothing for a while.
func (w *space) rest(requests *world.Ledger) {
	w.t.Helper()
	timer := time.NewTimer(restTime)
	defer timer.Stop()
	<-timer.C
	var asked []string
	for _, r := range requests.Take() {
		if r != "patch resourcegroups builtin/status" { // the count of instances
			asked = append(asked, r)
		}
	}
	if diff := cmp.Diff([]string(nil), asked); diff != "" {
		w.t.Errorf("requests at rest (-want +got):\n%s", diff)
	}
}

// waitReplicas waits until a Deployment is to have this number of pods, and has them.
func (w *space) waitReplicas(name string, want int64) {
	w.t.Helper()
	world.Eventually(w.t, name+" is not scaled", func() error {
		u, err := w.Get("Deployment", name)
		if err != nil {
			return err
		}
		spec, _, _ := unstructured.NestedInt64(u.Object, "spec", "replicas")
		status, _, _ := unstructured.NestedInt64(u.Object, "status", "availableReplicas")
		if spec != want || status != want {
			return fmt.Errorf("%d of %d replicas are available, want %d", status, spec, want)
		}
		return nil
	})
}
