package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/plait-run/plait/test/world"
)

var (
	secrets         = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	connectionKind  = plaitResource("connections")
	clusterBindings = plaitResource("clusterbindings")
	bindings        = plaitResource("bindings")
	stores          = schema.GroupVersionResource{Group: "faults.example.com", Version: "v1", Resource: "stores"}
)

func plaitResource(name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "plait.run", Version: "v1alpha1", Resource: name}
}

// reportTime is how long after a change of objects their binding is looked at.
const reportTime = time.Second

// kubeconfigMark stands in documents for the kubeconfig of the provider, quoted.
const kubeconfigMark = "<kubeconfig>"

// exportedStore is a definition that a provider exports, in a group of this name.
const exportedStore = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: 'stores.%[1]s', labels: {plait.run/exported: "true"}}
spec:
  group: '%[1]s'
  scope: Namespaced
  names: {kind: Store, plural: stores}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, properties: {
      spec: {type: object, properties: {text: {type: string}}}, status: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}
`

// bound is a Binding and an object of each copy's own, of an API and through a Connection that all share.
func bound() workload {
	const binding = `{apiVersion: plait.run/v1alpha1, kind: Binding, metadata: {name: '*'},
  spec: {connectionRef: {name: provider}, apis: [{name: stores.faults.example.com}], deletionPolicy: Delete}}`
	store := func(text string) string {
		return "{apiVersion: faults.example.com/v1, kind: Store, metadata: {name: '*'}, spec: {text: " + text + "}}"
	}
	copied := []goal{{stores, world.IsReady}, {bindings, isSynced}}
	return workload{
		name: "bound", resource: stores, namespaced: true, pause: reportTime, prepare: prepareStores, there: "{apiVersion: v1, kind: ConfigMap, metadata: {name: '*-foreign', namespace: '*'}}",
		stages: []stage{
			{name: "bind", document: binding + "\n---\n" + store("first"), goals: copied},
			{name: "change", document: store("second"), goals: copied},
			{name: "delete", goals: []goal{{stores, nil}, {bindings, isSynced}}},
			{name: "create", document: store("third"), goals: copied},
			{name: "let go", resource: bindings, goals: []goal{{bindings, nil}, {stores, isFree}}},
		},
	}
}

func isSynced(u *unstructured.Unstructured) bool {
	return world.HasCondition("Synced", "True")(u) == nil
}

func isFree(u *unstructured.Unstructured) bool { return len(u.GetFinalizers()) == 0 }

// prepareStores makes the provider export Stores and work on them, and connects it.
func prepareStores(ctx context.Context, w *rig) error {
	if _, err := w.provider.Apply(ctx, "", fmt.Sprintf(exportedStore, stores.Group)); err != nil {
		return err
	}
	err := world.Until(ctx, "the provider's stores", func() error {
		_, err := w.provider.Client.Resource(stores).List(ctx, metav1.ListOptions{})
		return err
	})
	if err != nil {
		return err
	}
	if err := w.operate(ctx); err != nil {
		return err
	}
	document, err := w.filled(`
apiVersion: v1
kind: Secret
metadata: {name: provider, namespace: plait-system}
stringData: {kubeconfig: `+kubeconfigMark+`}
---
apiVersion: plait.run/v1alpha1
kind: Connection
metadata: {name: provider}
spec: {kubeconfigSecretRef: {namespace: plait-system, name: provider}, allowedNamespaces: {}, schema: {include: [faults.example.com], pullPolicy: All}}`, "")
	if err != nil {
		return err
	}
	if err := w.apply(ctx, "", document); err != nil {
		return err
	}
	err = w.until(ctx, "the stores", func() error {
		_, err := w.client.Resource(stores).List(ctx, metav1.ListOptions{})
		return err
	})
	if err != nil {
		return err
	}
	return w.settle(ctx)
}

// operate is what the provider's operator does until the provider ends: it says of every Store that it is ready.
func (w *rig) operate(ctx context.Context) error {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	informer := dynamicinformer.NewFilteredDynamicInformer(w.provider.Client, stores, metav1.NamespaceAll, 0, cache.Indexers{}, nil).Informer()
	answer := func(object any) {
		if u, ok := object.(*unstructured.Unstructured); ok {
			sayReady(ctx, w.provider.Client, u)
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: answer, UpdateFunc: func(_, now any) { answer(now) }})
	if err != nil {
		cancel()
		return fmt.Errorf("watching stores: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		informer.RunWithContext(ctx)
	}()
	w.provider.BeforeStop(func() error {
		cancel()
		<-ended
		return nil
	})
	return nil
}

// sayReady writes the status of a Store where it is not of its generation. What fails is tried again with the next event.
func sayReady(ctx context.Context, client dynamic.Interface, u *unstructured.Unstructured) {
	if world.IsReady(u) || u.GetDeletionTimestamp() != nil {
		return
	}
	status := fmt.Sprintf(`{"status":{"observedGeneration":%d,"conditions":[{"type":"Ready","status":"True","reason":"Working"}]}}`, u.GetGeneration())
	at := client.Resource(stores).Namespace(u.GetNamespace())
	_, _ = at.Patch(ctx, u.GetName(), types.MergePatchType, []byte(status), metav1.PatchOptions{FieldManager: "operator"}, "status")
}

// filled is a document for a copy.
func (w *rig) filled(document, token string) (string, error) {
	document = strings.ReplaceAll(document, "*", token)
	if !strings.Contains(document, kubeconfigMark) {
		return document, nil
	}
	content, err := clientcmd.Write(*w.there.kubeconfig())
	if err != nil {
		return "", fmt.Errorf("writing the provider's kubeconfig: %w", err)
	}
	quoted, err := json.Marshal(string(content))
	if err != nil {
		return "", fmt.Errorf("quoting the provider's kubeconfig: %w", err)
	}
	return strings.ReplaceAll(document, kubeconfigMark, string(quoted)), nil
}
