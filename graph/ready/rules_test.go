package ready

import "testing"

func TestReadyOfJobs(t *testing.T) {
	runReady(t, []readyTest{
		{"new", "batch/v1 Job", ``, "the job has not started yet"},
		{"running", "batch/v1 Job", `{spec: {completions: 3}, status: {startTime: "2026-01-01T00:00:00Z", succeeded: 1}}`,
			"1 of 3 pods succeeded"},
		{"running its only pod", "batch/v1 Job", `status: {startTime: "2026-01-01T00:00:00Z", active: 1}`, "0 of 1 pod succeeded"},
		{"suspended", "batch/v1 Job", `status: {conditions: [{type: Suspended, status: "True"}]}`, "the job is suspended"},
		{"complete", "batch/v1 Job", `status: {conditions: [{type: Complete, status: "True"}]}`, ""},
		{"failed", "batch/v1 Job",
			`status: {conditions: [{type: Failed, status: "True", reason: BackoffLimitExceeded, message: too many failures}]}`,
			"the job failed: too many failures"},
	})
}

func TestReadyOfServicesAndClaims(t *testing.T) {
	runReady(t, []readyTest{
		{"of the default type", "v1 Service", ``, ""},
		{"without a balancer", "v1 Service", `spec: {type: NodePort}`, ""},
		{"waiting for its balancer", "v1 Service", `spec: {type: LoadBalancer, clusterIP: 10.0.0.1}`,
			"its load balancer has no address yet"},
		{"with an empty entry", "v1 Service", `{spec: {type: LoadBalancer}, status: {loadBalancer: {ingress: [{}]}}}`,
			"its load balancer has no address yet"},
		{"with an address", "v1 Service", `{spec: {type: LoadBalancer}, status: {loadBalancer: {ingress: [{ip: 1.2.3.4}]}}}`, ""},
		{"with a name", "v1 Service",
			`{spec: {type: LoadBalancer}, status: {loadBalancer: {ingress: [{hostname: lb.example.com}]}}}`, ""},
		{"of another group", "serving.example.com/v1 Service",
			`{spec: {type: LoadBalancer}, status: {conditions: [{type: Ready, status: "True"}]}}`, ""},
		{"new", "v1 PersistentVolumeClaim", ``, "the claim is not bound yet"},
		{"pending", "v1 PersistentVolumeClaim", `status: {phase: Pending}`, "the claim is not bound yet"},
		{"bound", "v1 PersistentVolumeClaim", `status: {phase: Bound}`, ""},
		{"lost", "v1 PersistentVolumeClaim", `status: {phase: Lost}`, "the claim lost its volume"},
	})
}

func TestReadyOfNamespacesAndAPIs(t *testing.T) {
	runReady(t, []readyTest{
		{"new", "v1 Namespace", ``, "the namespace is not active yet"},
		{"active", "v1 Namespace", `status: {phase: Active}`, ""},
		{"new", "apiregistration.k8s.io/v1 APIService", ``, "its API is not available yet"},
		{"down", "apiregistration.k8s.io/v1 APIService",
			`status: {conditions: [{type: Available, status: "False", reason: MissingEndpoints}]}`,
			"its API is not available yet: MissingEndpoints"},
		{"up", "apiregistration.k8s.io/v1 APIService", `status: {conditions: [{type: Available, status: "True"}]}`, ""},
	})
}

func TestReadyOfPods(t *testing.T) {
	runReady(t, []readyTest{
		{"new", "v1 Pod", ``, "the pod has not been looked at yet"},
		{"pending", "v1 Pod", `status: {phase: Pending}`, "the pod is starting"},
		{"starting", "v1 Pod",
			`status: {phase: Pending, containerStatuses: [{name: a, state: {waiting: {reason: ContainerCreating}}}]}`,
			"the pod is starting"},
		{"without an image", "v1 Pod",
			`status: {phase: Pending, containerStatuses: [{name: a, state: {running: {}}}, {name: b, state: {waiting: {reason: ImagePullBackOff}}}]}`,
			`container "b" does not start: ImagePullBackOff`},
		{"without a node", "v1 Pod",
			`status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: 0/1 nodes are available}]}`,
			"no node takes the pod: 0/1 nodes are available"},
		{"crashing", "v1 Pod",
			`status: {phase: Running, initContainerStatuses: [{name: i, state: {waiting: {reason: CrashLoopBackOff}}}]}`,
			`container "i" does not start: CrashLoopBackOff`},
		{"running", "v1 Pod", `status: {phase: Running, conditions: [{type: Ready, status: "False"}]}`,
			"the pod runs and is not ready yet"},
		{"ready", "v1 Pod", `status: {phase: Running, conditions: [{type: Ready, status: "True"}]}`, ""},
		{"done", "v1 Pod", `status: {phase: Succeeded}`, ""},
		{"failed", "v1 Pod", `status: {phase: Failed, reason: Evicted}`, "the pod failed: Evicted"},
	})
}
