package ready

import "testing"

func TestReadyOfDeployments(t *testing.T) {
	const available = `conditions: [{type: Available, status: "True"}, {type: Progressing, status: "True", reason: NewReplicaSetAvailable}]`
	runReady(t, []readyTest{
		{"new", "apps/v1 Deployment", `spec: {replicas: 3}`, "0 of 3 replicas are created"},
		{"new, by default of one", "apps/v1 Deployment", ``, "0 of 1 replica is created"},
		{"not seen", "apps/v1 Deployment", `{metadata: {generation: 3}, status: {observedGeneration: 2, replicas: 1}}`,
			"its controller has not seen the latest change yet"},
		{"updating", "apps/v1 Deployment", `{spec: {replicas: 3}, status: {replicas: 4, updatedReplicas: 1, readyReplicas: 3}}`,
			"1 of 3 replicas are updated"},
		{"getting ready", "apps/v1 Deployment",
			`{spec: {replicas: 3}, status: {replicas: 3, updatedReplicas: 3, readyReplicas: 2, availableReplicas: 1}}`,
			"2 of 3 replicas are ready"},
		{"getting available", "apps/v1 Deployment",
			`{spec: {replicas: 3}, status: {replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 2}}`,
			"2 of 3 replicas are available"},
		{"with an old replica", "apps/v1 Deployment",
			`{spec: {replicas: 1}, status: {replicas: 2, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1}}`,
			"1 old replica still to go"},
		{"late", "apps/v1 Deployment",
			`status: {conditions: [{type: Progressing, status: "False", reason: ProgressDeadlineExceeded, message: timed out}]}`,
			"the rollout took longer than its deadline: timed out"},
		{"up", "apps/v1 Deployment",
			`{spec: {replicas: 1, progressDeadlineSeconds: 600}, status: {replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1, ` +
				available + `}}`, ""},
		{"of none", "apps/v1 Deployment", `{spec: {replicas: 0, progressDeadlineSeconds: 600}, status: {` + available + `}}`, ""},
	})
}

func TestReadyOfOtherWorkloads(t *testing.T) {
	runReady(t, []readyTest{
		{"starting", "apps/v1 StatefulSet", `{spec: {replicas: 2}, status: {replicas: 1, updatedReplicas: 1, readyReplicas: 1}}`,
			"1 of 2 replicas are created"},
		{"up", "apps/v1 StatefulSet",
			`{spec: {replicas: 1}, status: {replicas: 1, readyReplicas: 1, currentReplicas: 1, updatedReplicas: 1, currentRevision: a, updateRevision: a}}`, ""},
		{"changing", "apps/v1 StatefulSet",
			`{spec: {replicas: 1}, status: {replicas: 1, readyReplicas: 1, currentReplicas: 1, updatedReplicas: 1, availableReplicas: 1, currentRevision: a, updateRevision: b}}`,
			"Waiting for updated revision to match current"},
		{"left to the user", "apps/v1 StatefulSet", `spec: {replicas: 2, updateStrategy: {type: OnDelete}}`, ""},
		{"starting", "apps/v1 ReplicaSet", `{spec: {replicas: 2}, status: {replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 1}}`,
			"1 of 2 replicas are ready"},
		{"refused", "apps/v1 ReplicaSet",
			`{spec: {replicas: 2}, status: {conditions: [{type: ReplicaFailure, status: "True", message: exceeded quota}]}}`,
			"replicas cannot be created: exceeded quota"},
		{"up", "apps/v1 ReplicaSet",
			`{spec: {replicas: 1}, status: {replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1, availableReplicas: 1}}`, ""},
		{"starting", "v1 ReplicationController", `spec: {replicas: 2}`, "0 of 2 replicas are created"},
		{"up", "v1 ReplicationController", `{spec: {replicas: 1}, status: {replicas: 1, readyReplicas: 1, availableReplicas: 1}}`, ""},
		{"new", "apps/v1 DaemonSet", `metadata: {generation: 1}`, "it has not been scheduled yet"},
		{"starting", "apps/v1 DaemonSet",
			`{metadata: {generation: 1}, status: {observedGeneration: 1, desiredNumberScheduled: 2, currentNumberScheduled: 2, updatedNumberScheduled: 2, numberReady: 1}}`,
			"1 of 2 pods are ready"},
		{"up", "apps/v1 DaemonSet",
			`{metadata: {generation: 1}, status: {observedGeneration: 1, desiredNumberScheduled: 1, currentNumberScheduled: 1, updatedNumberScheduled: 1, numberReady: 1, numberAvailable: 1}}`, ""},
		{"new", "apiextensions.k8s.io/v1 CustomResourceDefinition", ``, "its API is not served yet"},
		{"named like another", "apiextensions.k8s.io/v1 CustomResourceDefinition",
			`status: {conditions: [{type: NamesAccepted, status: "False", reason: PluralConflict, message: '"lamps" is in use'}]}`,
			`its names are not accepted: "lamps" is in use`},
		{"served", "apiextensions.k8s.io/v1 CustomResourceDefinition",
			`status: {conditions: [{type: Established, status: "True"}]}`, ""},
	})
}
