package examples

// example is a folder of ../../examples and what is done to its instance.
type example struct {
	folder  string
	needs   []string // folders whose groups it is made of
	change  func(spec map[string]any)
	act     func(person)              // after the change: what somebody else does, or nil
	want    string                    // parts of objects that are there then, as YAML
	gone    []string                  // objects that are gone then: apiVersion kind [namespace/]name
	spoil   func(spec map[string]any) // accepted by the API, and cannot work
	spoiled string                    // text of the Ready message while spoiled
	waits   bool                      // spoiled means IN_PROGRESS: something else must come first
	stays   []string                  // objects that outlive the instance, and are deleted by the test
}

// set is a change of one field.
func set(field string, value any) func(map[string]any) {
	return func(spec map[string]any) { spec[field] = value }
}

var all = []example{
	{
		folder: "webapp",
		change: func(spec map[string]any) { spec["replicas"] = int64(3); delete(spec, "host") },
		want:   `{apiVersion: apps/v1, kind: Deployment, metadata: {name: shop}, spec: {replicas: 3}}`,
		gone:   []string{"networking.k8s.io/v1 Ingress shop"},
		spoil:  set("settings", map[string]any{"not a key": "x"}), spoiled: "config",
	},
	{
		folder: "platform", needs: []string{"webapp"},
		change: set("sites", []any{"docs", "shop"}),
		want:   `{apiVersion: v1, kind: ConfigMap, metadata: {name: north-index}, data: {sites: "north-docs,north-shop"}}`,
		gone:   []string{"apps.plait.run/v1alpha1 WebApp north-blog"},
		spoil:  set("sites", []any{"docs", "Not A Name"}), spoiled: "Not A Name",
	},
	{
		folder: "autoscaled-web",
		change: set("replicas", map[string]any{"min": int64(1), "max": int64(5)}),
		act:    scaleStore,
		want: `
{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: store}, spec: {minReplicas: 1, maxReplicas: 5}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: store}, spec: {replicas: 4}, status: {readyReplicas: 4}}`,
		gone:  []string{"policy/v1 PodDisruptionBudget store"},
		spoil: set("tlsSecret", "Not A Name"), spoiled: "ingress",
	},
	{
		folder: "queue-worker",
		change: set("size", "large"),
		want:   `{apiVersion: apps.plait.run/v1alpha1, kind: QueueWorker, metadata: {name: invoices}, status: {state: ACTIVE, workers: 10}}`,
		spoil:  set("credentials", "missing"), spoiled: "Secret default/missing", waits: true,
	},
	{
		folder: "scheduled-job",
		change: func(spec map[string]any) { spec["script"] = "true"; spec["suspend"] = true },
		want:   `{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly-report}, spec: {suspend: true}}`,
		gone:   []string{"v1 ConfigMap nightly-report-fktb8s17"},
		spoil:  set("schedule", "every night"), spoiled: "every night",
	},
	{
		folder: "tenant",
		change: func(spec map[string]any) { spec["viewers"] = []any{}; spec["mayTalkTo"] = []any{} },
		want: `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: tenant, namespace: team-green}
spec: {ingress: [{from: [{namespaceSelector: {matchLabels: {tenant: team-green}}}]}]}`,
		gone:  []string{"rbac.authorization.k8s.io/v1 RoleBinding team-green/tenant-viewers"},
		spoil: set("admins", []any{""}), spoiled: "admins",
	},
	{
		folder: "tenant-cluster",
		change: func(spec map[string]any) { spec["replicas"] = int64(2); spec["host"] = "eu-2.tenants.example.com" },
		act:    func(p person) { p.apply(p.read("tenant-cluster", "workspace.yaml")) },
		want: `
apiVersion: plait.run/v1alpha1
kind: Workspace
metadata: {name: team-green}
spec: {URL: https://eu-2.tenants.example.com}
status: {phase: Ready}
---
{apiVersion: apps.plait.run/v1alpha1, kind: TenantCluster, metadata: {name: eu-1}, status: {apiServers: 2}}`,
		spoil: set("host", "Not A Host"), spoiled: "ingress",
		stays: []string{"plait.run/v1alpha1 Workspace team-green"},
	},
	{
		folder: "database",
		change: set("version", "16"),
		want: `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: orders}
spec: {template: {spec: {containers: [{image: postgres:16}]}}}
status: {readyReplicas: 1, updatedReplicas: 1}`,
		spoil: set("storage", map[string]any{"size": "1Gi", "class": "manual"}), spoiled: "volume",
		stays: []string{"v1 PersistentVolumeClaim orders-data"},
	},
	{
		folder: "environment", needs: []string{"webapp", "database"},
		change: func(spec map[string]any) {
			spec["tier"] = "production"
			spec["apps"] = []any{map[string]any{"name": "store", "image": "registry.example.com/store:1.5.0"}}
		},
		want:  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: staging-store}, status: {readyReplicas: 3}}`,
		gone:  []string{"apps.plait.run/v1alpha1 WebApp staging-admin", "apps/v1 Deployment staging-admin"},
		spoil: set("passwordSecret", "missing"), spoiled: "database", waits: true,
		stays: []string{"v1 PersistentVolumeClaim staging-data"},
	},
	{
		folder: "shared-secret",
		change: func(map[string]any) {},
		act:    renewToken,
		want:   `{apiVersion: v1, kind: Secret, metadata: {name: registry, namespace: team-red}, data: {token: bmV3}}`,
		spoil:  set("from", map[string]any{"namespace": "platform-secrets", "name": "root-password"}), spoiled: "root-password",
	},
	{
		folder: "config-fanout",
		change: set("data", map[string]any{"A": "b"}),
		act:    moveLabels,
		want:   `{apiVersion: v1, kind: ConfigMap, metadata: {name: proxy-settings, namespace: fanout-alone}, data: {A: b}}`,
		gone:   []string{"v1 ConfigMap fanout-south/proxy-settings"},
		spoil:  set("data", map[string]any{"not a key": "x"}), spoiled: "copies",
	},
	{
		folder: "from-kro",
		change: set("cache", map[string]any{"enabled": false}),
		want: `
apiVersion: apps/v1
kind: Deployment
metadata: {name: visitors}
spec: {template: {spec: {containers: [{env: [{name: PASSWORD}, {name: CACHE, value: none}]}]}}}`,
		gone:  []string{"v1 ConfigMap visitors-cache"},
		spoil: set("replicas", int64(-1)), spoiled: "replicas",
	},
	{
		folder: "canary",
		change: set("replicas", int64(3)),
		act:    rollOut,
		want: `
{apiVersion: apps/v1, kind: Deployment, metadata: {name: garden}, spec: {replicas: 3}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: kitchen}
spec: {template: {spec: {containers: [{securityContext: {runAsNonRoot: true}}]}}}`,
		spoil: set("image", ""), spoiled: "image",
	},
}
