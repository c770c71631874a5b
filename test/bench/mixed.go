package main

import (
	"context"
	"fmt"
)

// accountOfMixed may do everything in its namespace.
const accountOfMixed = `
{apiVersion: v1, kind: ServiceAccount, metadata: {name: deployer}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: deployer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: ServiceAccount, name: deployer, namespace: default}]
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {tone: warm}}
`

// Of the mixed workload: its children, and what expressions read that the templates did not write.
const (
	mixedChildren = 3
	mixedReads    = 2 // the external, and the Deployment's status
)

// bringUpMixed measures the requests of one instance of built-in kinds that come to be ready, as a service account. The
// first instance, which is not counted, makes the account known and the caches of the kinds complete.
func bringUpMixed(ctx context.Context, w *rig, _ scale) ([]Row, error) {
	if _, err := w.Apply(ctx, namespace, accountOfMixed); err != nil {
		return nil, err
	}
	if err := w.serve(ctx, mixed("deployer")); err != nil {
		return nil, err
	}
	if err := w.createAll(ctx, "first", 1); err != nil {
		return nil, err
	}
	var rows []Row
	for _, step := range []struct {
		what   string
		budget int
		do     func(context.Context, string, int) error
	}{
		{"one instance up", mixedChildren + 3 + mixedReads, w.createAll},
		{"one instance deleted", mixedChildren + 2, w.deleteAll},
	} {
		counted, err := w.count(ctx, func() error { return step.do(ctx, "mixed", 1) })
		if err != nil {
			return rows, fmt.Errorf("%s: %w", step.what, err)
		}
		rows = append(rows, requests("Deployment, Service, Secret, an external, as an account: "+step.what, AtMost, step.budget, counted))
	}
	return rows, nil
}
