package front_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/cmd/plait/explain"
	"github.com/plait-run/plait/test/world"
)

// deployer gives a namespace its account, without rights.
const deployer = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: deployer}}"

func rights(namespace string) string {
	return `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: deployer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
subjects: [{kind: ServiceAccount, name: deployer, namespace: ` + namespace + `}]`
}

func site(spec string) string {
	return "{apiVersion: front.example.com/v1, kind: Site, metadata: {name: s1}, spec: {" + spec + "}}"
}

// again has an instance looked at at once: what a retry would do after a while.
const again = `{"metadata":{"annotations":{"plait.run/reconcile-at":"now"}}}`

// breaks are ways in which people get stuck: each with the cause and the cure that the tool must name.
var breaks = []struct {
	name         string
	kind         string
	breakIt      func(*testing.T, *world.Space)
	cause        explain.Cause // what is expected of the first cause; Problem and Next hold a part of it
	details      []string      // parts of what is seen at the object
	waiting      []string
	status       int
	cure         func(*world.Space)
	treeOfBroken string // a part of the tree while it is broken
}{
	{
		name: "rights", kind: "site", status: 1,
		breakIt: func(_ *testing.T, s *world.Space) { s.Apply(deployer); s.Apply(site("")) },
		cause: explain.Cause{
			Subject: "node config (ConfigMap break-rights/s1-config)", State: "Failed", Reason: "Forbidden",
			Problem: "this needs the right to patch configmaps",
			Next:    "kubectl create rolebinding deployer -n break-rights --clusterrole plait-account-sites --serviceaccount break-rights:deployer",
			Command: "kubectl get resourcegroup sites -o yaml | plait rbac -f -",
		},
		waiting:      []string{"web", "service"},
		treeOfBroken: "Failed",
		cure:         func(s *world.Space) { s.Apply(rights(s.Namespace)); s.Patch("Site", "s1", again) },
	},
	{
		name: "quota", kind: "site", status: 1,
		breakIt: func(_ *testing.T, s *world.Space) {
			s.Apply(deployer)
			s.Apply(rights(s.Namespace))
			s.Apply(`{apiVersion: v1, kind: ResourceQuota, metadata: {name: few}, spec: {hard: {count/services: "0"}}}`)
			s.WaitFor("ResourceQuota", "few", func(u *unstructured.Unstructured) error {
				if u.Object["status"] == nil {
					return errors.New("it does not count yet")
				}
				return nil
			})
			s.Apply(site(""))
		},
		cause: explain.Cause{
			Subject: "node service (Service break-quota/s1)", State: "Failed", Reason: "AdmissionDenied",
			Problem: "exceeded quota: few", Next: "ask for less, have the quota raised",
			Command: "kubectl describe resourcequotas,limitranges -n break-quota",
		},
		treeOfBroken: "exceeded quota: few",
		cure:         func(s *world.Space) { s.Remove("ResourceQuota", "few"); s.Patch("Site", "s1", again) },
	},
	{
		name: "image", kind: "site", status: 0,
		breakIt: func(t *testing.T, s *world.Space) {
			s.Apply(deployer)
			s.Apply(rights(s.Namespace))
			s.Apply(site("zone: nowhere"))
			failPod(t, s)
		},
		cause: explain.Cause{
			Subject: "node web (Deployment break-image/s1)", State: "Applied",
			Problem: "is not ready", Next: "find out at the object what keeps it",
			Command: "kubectl describe deployment.apps/s1 -n break-image",
		},
		details:      []string{"ImagePullBackOff: container web: no such image", "Unschedulable"},
		waiting:      []string{"service"},
		treeOfBroken: "Applied",
		cure:         func(s *world.Space) { s.Apply(site("")) },
	},
	{
		name: "external", kind: "report", status: 0,
		breakIt: func(_ *testing.T, s *world.Space) {
			s.Apply("{apiVersion: front.example.com/v1, kind: Report, metadata: {name: s1}}")
		},
		cause: explain.Cause{
			Subject: "node facts", State: "Waiting", Problem: "waiting for ConfigMap break-external/facts",
			Next: "Bring about what it waits for", Command: "plait tree report.front.example.com/s1 -n break-external",
		},
		waiting:      []string{"page"},
		treeOfBroken: "waiting for ConfigMap break-external/facts",
		cure: func(s *world.Space) {
			s.Apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: facts}, data: {fact: water is wet}}")
		},
	},
	{
		name: "never", kind: "site", status: 0,
		breakIt: func(_ *testing.T, s *world.Space) {
			s.Apply(deployer)
			s.Apply(rights(s.Namespace))
			s.Apply(site("want: 7"))
			s.WaitFor("Deployment", "s1", func(u *unstructured.Unstructured) error {
				if n, _, _ := unstructured.NestedInt64(u.Object, "status", "availableReplicas"); n != 1 {
					return fmt.Errorf("%d replicas are available", n)
				}
				return nil
			})
		},
		cause: explain.Cause{
			Subject: "node web (Deployment break-never/s1)", State: "Applied",
			Problem: "readyWhen does not hold: ${self.status.availableReplicas == schema.spec.want}", Next: "its readyWhen asks for something that never comes",
			Command: "kubectl describe deployment.apps/s1 -n break-never",
		},
		waiting:      []string{"service"},
		treeOfBroken: "readyWhen does not hold: ${self.status.availableReplicas == schema.spec.want}",
		cure:         func(s *world.Space) { s.Apply(site("want: 1")) },
	},
}

// failPod has the pod of the Deployment say that its image cannot be pulled. No kubelet touches it, since it has no node.
func failPod(t *testing.T, s *world.Space) {
	t.Helper()
	var name string
	pods := s.At("Pod")
	world.Eventually(t, "there is no pod without a place", func() error {
		list, err := pods.List(context.Background(), metav1.ListOptions{LabelSelector: "app=s1"})
		if err != nil {
			return err
		}
		if len(list.Items) == 0 {
			return errors.New("there is none")
		}
		name = list.Items[0].GetName()
		if got := world.Condition(&list.Items[0], "PodScheduled"); !strings.HasPrefix(got, "False/Unschedulable") {
			return fmt.Errorf("PodScheduled is %s", got)
		}
		return nil
	})
	_, err := pods.Patch(context.Background(), name, types.MergePatchType, []byte(`{"status":{"containerStatuses":[
		{"name":"web","image":"nginx","imageID":"","ready":false,"restartCount":0,
		 "state":{"waiting":{"reason":"ImagePullBackOff","message":"no such image"}}}]}}`), metav1.PatchOptions{}, "status")
	if err != nil {
		t.Fatal(err)
	}
}

// TestPeopleGetUnstuck breaks instances, asks what is wrong, does what is said, and sees them well.
func TestPeopleGetUnstuck(t *testing.T) {
	for _, b := range breaks {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			s := shared.Space(t, "break-"+b.name)
			object := b.kind + "/s1"
			b.breakIt(t, s)
			var got explain.Explanation
			world.Eventually(t, "explain does not name the cause", func() error {
				out, status := plait(t, "explain", object, "-n", s.Namespace, "-o", "json")
				got = explain.Explanation{} // what JSON leaves out would stay
				if err := json.Unmarshal([]byte(out), &got); err != nil {
					return world.Final(err)
				}
				if wrong := differsFrom(got, b.cause, b.details); wrong != "" {
					return fmt.Errorf("%s in %s", wrong, out)
				}
				if status != b.status || !slices.Equal(got.Waiting, b.waiting) {
					return fmt.Errorf("status %d, waiting %v in %s", status, got.Waiting, out)
				}
				return nil
			})
			tree, status := plait(t, "tree", b.kind, "s1", "-n", s.Namespace)
			if status != 0 || !strings.Contains(tree, b.treeOfBroken) {
				t.Errorf("status %d, the tree is\n%s", status, tree)
			}
			b.cure(s)
			s.WaitStatus(b.kind, "s1", "state", "ACTIVE")
			if out, status := plait(t, "explain", object, "-n", s.Namespace); status != 0 || !strings.Contains(out, "nothing is wrong") {
				t.Errorf("after the cure: status %d\n%s", status, out)
			}
		})
	}
}

// differsFrom tells what is missing in the first cause.
func differsFrom(e explain.Explanation, want explain.Cause, details []string) string {
	if len(e.Causes) == 0 {
		return "there is no cause"
	}
	got := e.Causes[0]
	if got.Subject != want.Subject || got.State != want.State || got.Reason != want.Reason || got.Command != want.Command {
		return "the first cause is another one"
	}
	if !strings.Contains(got.Problem, want.Problem) || !strings.Contains(got.Next, want.Next) {
		return "problem or cure is another one"
	}
	for _, detail := range details {
		if !slices.ContainsFunc(got.Details, func(d string) bool { return strings.Contains(d, detail) }) {
			return fmt.Sprintf("%q is not seen", detail)
		}
	}
	return ""
}
