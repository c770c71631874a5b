package cluster_test

import (
	"context"
	"fmt"
	"maps"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/plait-run/plait/cmd/plait/cluster"
)

func TestPods(t *testing.T) {
	c := start(t, cluster.Config{Pods: true})
	to := newClient(t, c.RESTConfig())

	t.Run("deployment", func(t *testing.T) { testDeployment(t, to) })
	t.Run("job", func(t *testing.T) { testJob(t, to) })
	t.Run("held and failing pods", func(t *testing.T) { testAnnotations(t, to) })
	t.Run("garbage", func(t *testing.T) { testGarbage(t, to) })
	t.Run("namespace", func(t *testing.T) { testNamespace(t, to) })
}

func podTemplate(annotations map[string]string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{
			Labels:      map[string]string{"app": "web"},
			Annotations: maps.Clone(annotations),
		},
		Spec: corev1.PodSpec{
			RestartPolicy: corev1.RestartPolicyAlways,
			Containers:    []corev1.Container{{Name: "main", Image: "example.com/image:1"}},
		},
	}
}

// testDeployment sees a rollout through to the endpoints of a service, and away
// again.
func testDeployment(t *testing.T, to client.Client) {
	three := int32(3)
	labels := map[string]string{"app": "web"}
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &three,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: podTemplate(nil),
		},
	}
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"},
		Spec:       corev1.ServiceSpec{Selector: labels, Ports: []corev1.ServicePort{{Port: 80}}},
	}
	create(t, to, deployment, service)
	eventually(t, "3 replicas available", func(ctx context.Context) error {
		err := to.Get(ctx, client.ObjectKeyFromObject(deployment), deployment)
		if err == nil && deployment.Status.AvailableReplicas != 3 {
			err = fmt.Errorf("%d replicas are available", deployment.Status.AvailableReplicas)
		}
		return err
	})
	eventually(t, "3 endpoints ready", func(ctx context.Context) error {
		slices := &discoveryv1.EndpointSliceList{}
		err := to.List(ctx, slices, client.InNamespace("default"), client.MatchingLabels{discoveryv1.LabelServiceName: "web"})
		if err == nil && readyEndpoints(slices) != 3 {
			err = fmt.Errorf("%d endpoints are ready", readyEndpoints(slices))
		}
		return err
	})
	if err := to.Delete(t.Context(), deployment, client.PropagationPolicy(metav1.DeletePropagationForeground)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "deployment and pods gone", func(ctx context.Context) error {
		return isNotFound(to.Get(ctx, client.ObjectKeyFromObject(deployment), deployment))
	})
}

func readyEndpoints(list *discoveryv1.EndpointSliceList) int {
	ready := 0
	for _, slice := range list.Items {
		for _, endpoint := range slice.Endpoints {
			if endpoint.Conditions.Ready != nil && *endpoint.Conditions.Ready {
				ready++
			}
		}
	}
	return ready
}

func newJob(name string, annotations map[string]string) *batchv1.Job {
	template := podTemplate(annotations)
	template.Spec.RestartPolicy = corev1.RestartPolicyNever
	retries := int32(0)
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec:       batchv1.JobSpec{Template: template, BackoffLimit: &retries},
	}
}

func waitForJob(t *testing.T, to client.Client, job *batchv1.Job, want batchv1.JobConditionType) {
	t.Helper()
	eventually(t, string(want), func(ctx context.Context) error {
		if err := to.Get(ctx, client.ObjectKeyFromObject(job), job); err != nil {
			return err
		}
		for _, condition := range job.Status.Conditions {
			if condition.Type == want && condition.Status == corev1.ConditionTrue {
				return nil
			}
		}
		return fmt.Errorf("conditions are %v", job.Status.Conditions)
	})
}

func testJob(t *testing.T, to client.Client) {
	job := newJob("work", nil)
	create(t, to, job)
	waitForJob(t, to, job, batchv1.JobComplete)
	if job.Status.Succeeded != 1 {
		t.Errorf("%d pods succeeded, want 1", job.Status.Succeeded)
	}
}

func testAnnotations(t *testing.T, to client.Client) {
	failing := newJob("failing", map[string]string{cluster.FailAnnotation: ""})
	template := podTemplate(map[string]string{cluster.HoldAnnotation: ""})
	held := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "held", Annotations: template.Annotations},
		Spec:       template.Spec,
	}
	create(t, to, held)
	eventually(t, "held pod scheduled", func(ctx context.Context) error {
		err := to.Get(ctx, client.ObjectKeyFromObject(held), held)
		if err == nil && held.Spec.NodeName != cluster.NodeName {
			err = fmt.Errorf("its node is %q", held.Spec.NodeName)
		}
		return err
	})
	create(t, to, failing)
	waitForJob(t, to, failing, batchv1.JobFailed)
	if err := to.Get(t.Context(), client.ObjectKeyFromObject(held), held); err != nil {
		t.Fatal(err)
	}
	if held.Status.Phase != corev1.PodPending {
		t.Errorf("the held pod is %s after another one has failed, want Pending", held.Status.Phase)
	}
}

// testGarbage deletes an owner and expects what it owns to go.
func testGarbage(t *testing.T, to client.Client) {
	owner, owned := configMap("owner"), configMap("owned")
	create(t, to, owner)
	owned.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID,
	}}
	create(t, to, owned)
	if err := to.Delete(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	eventually(t, "owned object gone", func(ctx context.Context) error {
		return isNotFound(to.Get(ctx, client.ObjectKeyFromObject(owned), owned))
	})
}

func testNamespace(t *testing.T, to client.Client) {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "short-lived"}}
	create(t, to, namespace)
	inside := configMap("inside")
	inside.Namespace = namespace.Name
	create(t, to, inside)
	if err := to.Delete(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	eventually(t, "namespace gone", func(ctx context.Context) error {
		return isNotFound(to.Get(ctx, client.ObjectKeyFromObject(namespace), namespace))
	})
}
