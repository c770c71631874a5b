package engine_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/test/world"
)

var (
	configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	crdsOf     = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
)

// serve runs until the end of the test; a run that fails or leaves goroutines fails the test.
func serve(t *testing.T, start func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- start(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("Start: %v", err)
			}
		case <-time.After(world.Patience):
			t.Error("Start did not return")
		}
	})
	t.Cleanup(stop)
	return stop
}

func newController(t *testing.T, config *rest.Config) *dynamiccontroller.Controller {
	t.Helper()
	c, err := dynamiccontroller.New(dynamiccontroller.Config{REST: config, Linger: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// recorder is a reconciler that counts passes by instance, when they end.
type recorder struct {
	mu   sync.Mutex
	seen map[string]int
	busy map[string]int // passes under way
	do   func(context.Context, reconcile.Request) error
}

func newRecorder(do func(context.Context, reconcile.Request) error) *recorder {
	return &recorder{seen: map[string]int{}, busy: map[string]int{}, do: do}
}

func (r *recorder) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	r.begin(req.String())
	defer r.end(req.String())
	if r.do == nil {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, r.do(ctx, req)
}

func (r *recorder) begin(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy[name]++
}

func (r *recorder) end(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy[name]--
	r.seen[name]++
}

func (r *recorder) isBusy(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.busy[name] > 0
}

func (r *recorder) count(name string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen[name]
}

// settled waits until the count has stayed for some time, and gives it.
func (r *recorder) settled(t *testing.T, name string) int {
	t.Helper()
	last, since := r.count(name), time.Now()
	world.Eventually(t, name+" is reconciled without end", func() error {
		if now := r.count(name); now != last || r.isBusy(name) {
			last, since = now, time.Now()
		}
		if time.Since(since) < 300*time.Millisecond {
			return fmt.Errorf("reconciled %d times", last)
		}
		return nil
	})
	return last
}

// kindNamed gives the resource and kind that define defines.
func kindNamed(kind string) (schema.GroupVersionResource, schema.GroupVersionKind) {
	gv := schema.GroupVersion{Group: "engine.test", Version: "v1"}
	return gv.WithResource(strings.ToLower(kind) + "s"), gv.WithKind(kind)
}

func define(t *testing.T, client dynamic.Interface, kind string) (schema.GroupVersionResource, schema.GroupVersionKind) {
	t.Helper()
	gvr, gvk := kindNamed(kind)
	create(t, client, crdsOf, "", definition(t, gvr, gvk))
	t.Cleanup(func() {
		_ = client.Resource(crdsOf).Delete(context.Background(), gvr.GroupResource().String(), metav1.DeleteOptions{})
	})
	return gvr, gvk
}

func definition(t *testing.T, gvr schema.GroupVersionResource, gvk schema.GroupVersionKind) *unstructured.Unstructured {
	t.Helper()
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	crd := &apiextensionsv1.CustomResourceDefinition{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: gvr.GroupResource().String()},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: gvr.Group,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: gvr.Resource, Kind: gvk.Kind},
			Scope: apiextensionsv1.NamespaceScoped,
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: gvr.Version, Served: true, Storage: true,
				Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
					Type: "object",
					Properties: map[string]apiextensionsv1.JSONSchemaProps{
						"spec":   {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"text": text}},
						"status": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"text": text}},
					},
				}},
			}},
		},
	}
	object, err := k8sruntime.DefaultUnstructuredConverter.ToUnstructured(crd)
	if err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: object}
}

func object(apiVersion, kind, name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": name},
	}}
}

// create creates once the API server takes it: a kind that was just defined is refused for a moment.
func create(t *testing.T, client dynamic.Interface, gvr schema.GroupVersionResource, namespace string, u *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	var out *unstructured.Unstructured
	world.Eventually(t, "creating "+u.GetName(), func() (err error) {
		out, err = client.Resource(gvr).Namespace(namespace).Create(t.Context(), u, metav1.CreateOptions{})
		return err
	})
	return out
}

// child is a ConfigMap of an instance.
func child(name string, of *unstructured.Unstructured, text string) *unstructured.Unstructured {
	u := object("v1", "ConfigMap", name)
	u.Object["data"] = map[string]any{"text": text}
	u.SetLabels(map[string]string{v1alpha1.LabelOwned: v1alpha1.True, v1alpha1.LabelInstanceUID: string(of.GetUID())})
	u.SetAnnotations(map[string]string{v1alpha1.AnnotationInstance: track.Instance{
		Group: of.GroupVersionKind().Group, Kind: of.GetKind(), Namespace: of.GetNamespace(), Name: of.GetName(),
	}.String()})
	return u
}

// goroutines counts those of the engine and its libraries; the test's own connections come and go.
func goroutines() int {
	buffer := make([]byte, 1<<22)
	stacks := strings.Split(string(buffer[:runtime.Stack(buffer, true)]), "\n\n")
	n := 0
	for _, s := range stacks {
		for _, mark := range []string{"dynamiccontroller.", "dynamiccontroller/", "tools/cache.", "priorityqueue.", "internal/controller."} {
			if strings.Contains(s, mark) && !strings.Contains(s, "engine_test.") {
				n++
				break
			}
		}
	}
	return n
}
