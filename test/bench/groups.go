package main

import (
	"fmt"
	"strings"
)

func group(resources string) string {
	return `apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: things}
spec:
  schema:
    apiVersion: v1alpha1
    kind: Thing
    group: bench.plait.run
    spec: {value: string | default=first}
  resources:
` + resources
}

func node(id, value string) string {
	return fmt.Sprintf(`  - id: %s
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}-%s"}
      data: {value: "%s"}
`, id, id, value)
}

// wide is n ConfigMaps that do not need each other.
func wide(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(node(fmt.Sprintf("n%d", i), "${schema.spec.value}"))
	}
	return group(b.String())
}

// chain is n ConfigMaps of which each reads the one before.
func chain(n int) string {
	var b strings.Builder
	b.WriteString(node("n0", "${schema.spec.value}"))
	for i := 1; i < n; i++ {
		b.WriteString(node(fmt.Sprintf("n%d", i), fmt.Sprintf("${n%d.data.value}", i-1)))
	}
	return group(b.String())
}

// oneOf is n ConfigMaps of which one reads the input, and one an annotation of that one.
func oneOf(n int) string {
	var b strings.Builder
	b.WriteString(node("n0", "${schema.spec.value}"))
	b.WriteString(node("n1", "${n0.metadata.annotations.?noted.orValue('') == '' ? 'no' : 'yes'}"))
	for i := 2; i < n; i++ {
		b.WriteString(node(fmt.Sprintf("n%d", i), "fixed"))
	}
	return group(b.String())
}

// quantities is nine ConfigMaps and a quota that writes its quantities in another way than the API server.
func quantities() string {
	var b strings.Builder
	for i := range nodes - 1 {
		b.WriteString(node(fmt.Sprintf("n%d", i), "${schema.spec.value}"))
	}
	return group(b.String() + `  - id: quota
    template:
      apiVersion: v1
      kind: ResourceQuota
      metadata: {name: "${schema.metadata.name}-quota"}
      spec: {hard: {requests.cpu: "1000m", requests.memory: "1024Mi", pods: "0010"}}
`)
}

// mixed is a workload of built-in kinds that come to be ready, as a service account, with an external.
func mixed(account string) string {
	return strings.Replace(group(`  - id: settings
    externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
  - id: secret
    template:
      apiVersion: v1
      kind: Secret
      metadata: {name: "${schema.metadata.name}"}
      stringData: {token: "${schema.spec.value}"}
  - id: deployment
    readyWhen: ["${self.status.availableReplicas == 1}"]
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: "${schema.metadata.name}"}
      spec:
        replicas: 1
        selector: {matchLabels: {app: "${schema.metadata.name}"}}
        template:
          metadata: {labels: {app: "${schema.metadata.name}"}, annotations: {tone: "${settings.data.tone}"}}
          spec: {containers: [{name: main, image: nginx, resources: {requests: {cpu: "1000m"}}}]}
  - id: service
    template:
      apiVersion: v1
      kind: Service
      metadata: {name: "${deployment.metadata.name}"}
      spec: {selector: {app: "${schema.metadata.name}"}, ports: [{port: 80}]}
`), "spec:\n", fmt.Sprintf("spec:\n  defaultServiceAccounts: {%s: %s}\n", namespace, account), 1)
}
