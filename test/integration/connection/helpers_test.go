package connection

import (
	"context"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/test/world"
)

const definitions = "customresourcedefinitions.apiextensions.k8s.io"

// remove deletes a definition if it is there.
func remove(t *testing.T, w *world.World, name string) {
	t.Helper()
	at, err := w.At(definitions, "")
	if err == nil {
		err = at.Delete(context.Background(), name, metav1.DeleteOptions{})
	}
	if err != nil && !apierrors.IsNotFound(err) {
		t.Errorf("deleting CustomResourceDefinition %s: %v", name, err)
	}
}

// waitForFormer waits until a definition is gone that a former run of a test has deleted: what is applied to it goes with it.
func waitForFormer(t *testing.T, w *world.World, name string) {
	t.Helper()
	world.Eventually(t, "the definition of a former run is there still", func() error {
		u, err := w.Get(context.Background(), definitions, "", name)
		if err == nil && u.GetDeletionTimestamp() != nil {
			return fmt.Errorf("%s is being deleted", name)
		}
		return nil
	})
}

// patch merges a JSON text into a cluster-scoped object of a world.
func patch(t *testing.T, w *world.World, kind, name, body string) {
	t.Helper()
	at, err := w.At(kind, "")
	if err == nil {
		_, err = at.Patch(context.Background(), name, types.MergePatchType, []byte(body), metav1.PatchOptions{})
	}
	if err != nil {
		t.Fatalf("patching %s %s: %v", kind, name, err)
	}
}

// patchStatus merges a JSON text into an object by its subresource status.
func patchStatus(t *testing.T, at dynamic.ResourceInterface, name, body string) error {
	t.Helper()
	_, err := at.Patch(context.Background(), name, types.MergePatchType, []byte(body), metav1.PatchOptions{}, "status")
	return err
}

// installed gives a definition of the consumer, nil when there is none; it is removed at the end.
func (s *suite) installed(resource string) *unstructured.Unstructured {
	s.t.Helper()
	name := resource + "." + s.group
	u, err := consumer.Get(context.Background(), definitions, "", name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return u
}

// forgetInstalled removes what was installed here at the end, after the Connection.
func (s *suite) forgetInstalled(resources ...string) {
	s.t.Cleanup(func() {
		for _, resource := range resources {
			remove(s.t, consumer, resource+"."+s.group)
		}
	})
}

func field(t *testing.T, u *unstructured.Unstructured, path ...string) any {
	t.Helper()
	if u == nil {
		t.Fatalf("there is no object to read %v of", path)
	}
	value, _, err := unstructured.NestedFieldNoCopy(u.Object, path...)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func must(u *unstructured.Unstructured, err error) *unstructured.Unstructured {
	if err != nil {
		panic(err)
	}
	return u
}
