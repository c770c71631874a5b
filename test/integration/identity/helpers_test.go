package identity_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/cmd/plait/rbac"
	"github.com/plait-run/plait/graph/source"
)

// resources gives where the kinds of the tests are served; any other kind is an instance.
var resources = map[string]schema.GroupVersionResource{
	"Namespace":          {Version: "v1", Resource: "namespaces"},
	"ConfigMap":          {Version: "v1", Resource: "configmaps"},
	"Secret":             {Version: "v1", Resource: "secrets"},
	"Service":            {Version: "v1", Resource: "services"},
	"ServiceAccount":     {Version: "v1", Resource: "serviceaccounts"},
	"ResourceQuota":      {Version: "v1", Resource: "resourcequotas"},
	"NetworkPolicy":      {Group: "networking.k8s.io", Version: "v1", Resource: "networkpolicies"},
	"Role":               {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"},
	"RoleBinding":        {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"},
	"ClusterRole":        {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"},
	"ClusterRoleBinding": {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"},
	"ResourceGroup":      {Group: "plait.run", Version: "v1alpha1", Resource: "resourcegroups"},
}

var namespaced = map[string]bool{
	"ConfigMap": true, "Secret": true, "Service": true, "ServiceAccount": true, "ResourceQuota": true, "NetworkPolicy": true,
	"Role": true, "RoleBinding": true,
}

func resourceOf(kind string) schema.GroupVersionResource {
	if gvr, ok := resources[kind]; ok {
		return gvr
	}
	return schema.GroupVersionResource{Group: "apps.plait.run", Version: "v1alpha1", Resource: strings.ToLower(kind) + "s"}
}

func newClient(rc *rest.Config) (dynamic.Interface, error) {
	rc = rest.CopyConfig(rc)
	rc.QPS = -1
	return dynamic.NewForConfig(rc)
}

// applyAll applies documents, each once the API server takes it: what was just granted or defined takes a moment.
func applyAll(ctx context.Context, client dynamic.Interface, namespace, documents string) error {
	for document := range strings.SplitSeq(documents, "---\n") {
		u := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &u.Object); err != nil {
			return fmt.Errorf("reading a document: %w", err)
		}
		if err := applyOne(ctx, client, namespace, u); err != nil {
			return fmt.Errorf("applying %s %s: %w", u.GetKind(), u.GetName(), err)
		}
	}
	return nil
}

func applyOne(ctx context.Context, client dynamic.Interface, namespace string, u *unstructured.Unstructured) error {
	at := client.Resource(resourceOf(u.GetKind()))
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		_, err := place(at, u, namespace).Apply(ctx, u.GetName(), u, metav1.ApplyOptions{FieldManager: "user", Force: true})
		if err == nil || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}

func place(at dynamic.NamespaceableResourceInterface, u *unstructured.Unstructured, namespace string) dynamic.ResourceInterface {
	if u.GetNamespace() != "" {
		return at.Namespace(u.GetNamespace())
	}
	if _, known := resources[u.GetKind()]; !known || namespaced[u.GetKind()] {
		return at.Namespace(namespace)
	}
	return at
}

// eventually waits until the check finds nothing wrong.
func eventually(t *testing.T, what string, check func() error) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		err := check()
		if err == nil {
			return
		}
		select {
		case <-deadline.C:
			t.Fatalf("%s: %v", what, err)
		case <-tick.C:
		}
	}
}

// tenant is a namespace with an account deployer that may do nothing, and whose accounts the engine may be.
type tenant struct {
	t         *testing.T
	admin     dynamic.Interface
	namespace string
}

func newTenant(t *testing.T, namespace string) *tenant {
	t.Helper()
	admin, err := newClient(shared.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	w := &tenant{t: t, admin: admin, namespace: namespace}
	w.apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + "}}")
	w.apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: deployer}}")
	w.apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: plait-impersonator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plait-impersonator}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: plait-engine}]`)
	return w
}

func (w *tenant) apply(documents string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := applyAll(ctx, w.admin, w.namespace, documents); err != nil {
		w.t.Fatal(err)
	}
}

// grant gives the account rights in its namespace; rules are those of a role.
func (w *tenant) grant(name, rules string) {
	w.t.Helper()
	w.apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: ` + name + `}
rules: ` + rules + `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: ` + name + `}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ` + name + `}
subjects: [{kind: ServiceAccount, name: deployer, namespace: ` + w.namespace + `}]`)
}

// serve applies a group, with the engine's role that `plait rbac` prints for it, and waits until it is served.
func (w *tenant) serve(group string) {
	w.t.Helper()
	w.apply(roleFor(w.t, group))
	w.define(group)
	w.waitFor("ResourceGroup", nameOf(w.t, group), func(u *unstructured.Unstructured) error {
		return wantCondition(u, "Ready", "True/Available")
	})
}

// define applies a group, and removes it, what it serves first, when the test ends.
func (w *tenant) define(group string) {
	w.t.Helper()
	w.apply(group)
	w.t.Cleanup(func() {
		err := w.at("ResourceGroup").Delete(context.Background(), nameOf(w.t, group), metav1.DeleteOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			w.t.Errorf("deleting the group: %v", err)
		}
	})
}

func roleFor(t *testing.T, group string) string {
	t.Helper()
	docs, problems := source.Parse("group.yaml", []byte(group))
	set, err := offline.Load(context.Background(), docs, nil)
	if err != nil {
		t.Fatal(err)
	}
	set.Problems.Append(problems)
	if set.Problems.HasErrors() {
		t.Fatal(set.Problems.Sorted())
	}
	text, err := rbac.YAML(rbac.Documents(set.Groups[0].Graph)[:1])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func nameOf(t *testing.T, document string) string {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(document), &u.Object); err != nil {
		t.Fatal(err)
	}
	return u.GetName()
}

func (w *tenant) at(kind string) dynamic.ResourceInterface {
	if _, known := resources[kind]; known && !namespaced[kind] {
		return w.admin.Resource(resourceOf(kind))
	}
	return w.admin.Resource(resourceOf(kind)).Namespace(w.namespace)
}

func (w *tenant) get(kind, name string) (*unstructured.Unstructured, error) {
	return w.at(kind).Get(context.Background(), name, metav1.GetOptions{})
}

// waitFor waits until an object is as the check wants it.
func (w *tenant) waitFor(kind, name string, check func(*unstructured.Unstructured) error) *unstructured.Unstructured {
	w.t.Helper()
	var out *unstructured.Unstructured
	eventually(w.t, kind+" "+name, func() error {
		u, err := w.get(kind, name)
		if err != nil {
			return err
		}
		out = u
		return check(u)
	})
	return out
}

// waitReady waits for a beginning of status, reason and message of Ready.
func (w *tenant) waitReady(kind, name, want string) *unstructured.Unstructured {
	w.t.Helper()
	return w.waitFor(kind, name, func(u *unstructured.Unstructured) error { return wantCondition(u, "Ready", want) })
}

func (w *tenant) remove(kind, name string) {
	w.t.Helper()
	if err := w.at(kind).Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
		w.t.Fatal(err)
	}
	eventually(w.t, name+" does not go", func() error {
		u, err := w.get(kind, name)
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		return fmt.Errorf("it is there: %v", u.Object["status"])
	})
}

func wantCondition(u *unstructured.Unstructured, kind, want string) error {
	if got := condition(u, kind); !strings.HasPrefix(got, want) {
		return fmt.Errorf("%s is %s, want %s; the status is %v", kind, got, want, u.Object["status"])
	}
	return nil
}

// condition gives `status/reason: message`.
func condition(u *unstructured.Unstructured, kind string) string {
	list, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, item := range list {
		if c, ok := item.(map[string]any); ok && c["type"] == kind {
			return fmt.Sprintf("%v/%v: %v", c["status"], c["reason"], c["message"])
		}
	}
	return "absent"
}
