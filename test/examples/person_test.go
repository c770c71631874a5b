package examples

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/plait-run/plait/test/world"
)

// person is who tries an example, in the namespace default unless an object says another.
type person struct {
	*world.World
	t *testing.T
}

// read gives the documents of an example's file, none where there is no such file.
func (p person) read(folder, file string) []*unstructured.Unstructured {
	p.t.Helper()
	objects, err := world.ReadFile(inExamples(folder, file))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.t.Fatal(err)
	}
	return objects
}

func (p person) apply(objects []*unstructured.Unstructured) {
	p.t.Helper()
	for _, o := range objects {
		if _, err := p.ApplyObject(p.t.Context(), metav1.NamespaceDefault, o); err != nil {
			p.t.Fatal(err)
		}
	}
}

// serve applies the group of a folder and waits until it is ready.
func (p person) serve(folder string) []*unstructured.Unstructured {
	p.t.Helper()
	groups := p.read(folder, "group.yaml")
	p.apply(groups)
	for _, group := range groups {
		p.waitFor(group, world.HasCondition("Ready", "True"))
	}
	return groups
}

// named gives an object by `apiVersion kind [namespace/]name`.
func named(t *testing.T, reference string) *unstructured.Unstructured {
	t.Helper()
	words := strings.Fields(reference)
	if len(words) != 3 {
		t.Fatalf("%q is not apiVersion, kind and name", reference)
	}
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(words[0])
	o.SetKind(words[1])
	namespace, name, ok := strings.Cut(words[2], "/")
	if !ok {
		namespace, name = "", words[2]
	}
	o.SetNamespace(namespace)
	o.SetName(name)
	return o
}

func (p person) at(o *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	kind := o.GetKind()
	if group := o.GroupVersionKind().Group; group != "" {
		kind += "." + group
	}
	namespace := o.GetNamespace()
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	return p.At(kind, namespace)
}

// waitFor waits until nothing is wrong with the live object.
func (p person) waitFor(o *unstructured.Unstructured, wrong world.Check) {
	p.t.Helper()
	world.Eventually(p.t, fmt.Sprintf("%s %s is not as it should be", o.GetKind(), o.GetName()), func() error {
		at, err := p.at(o)
		if err != nil {
			return err
		}
		live, err := at.Get(p.t.Context(), o.GetName(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		return wrong(live)
	})
}

func (p person) waitGone(o *unstructured.Unstructured) {
	p.t.Helper()
	world.Eventually(p.t, fmt.Sprintf("%s %s does not go", o.GetKind(), o.GetName()), func() error {
		at, err := p.at(o)
		if err != nil {
			return err
		}
		live, err := at.Get(p.t.Context(), o.GetName(), metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			return nil
		case err != nil:
			return err
		}
		return fmt.Errorf("it is there: %v %v", live.GetFinalizers(), live.Object["status"])
	})
}

func (p person) active(instances []*unstructured.Unstructured) {
	p.t.Helper()
	for _, o := range instances {
		p.waitFor(o, world.HasStatus("state", "ACTIVE"))
	}
}

// remove deletes objects, the last first, and waits until all are gone.
func (p person) remove(objects []*unstructured.Unstructured) {
	p.t.Helper()
	for _, o := range slices.Backward(objects) {
		at, err := p.at(o)
		if err != nil {
			p.t.Fatal(err)
		}
		if err := at.Delete(p.t.Context(), o.GetName(), metav1.DeleteOptions{}); err != nil {
			p.t.Fatal(err)
		}
	}
	for _, o := range objects {
		p.waitGone(o)
	}
}

// merge changes an object, by `apiVersion kind [namespace/]name`, as somebody does who is not Plait.
func (p person) merge(reference, patch string, subresources ...string) {
	p.t.Helper()
	o := named(p.t, reference)
	at, err := p.at(o)
	if err != nil {
		p.t.Fatal(err)
	}
	options := metav1.PatchOptions{FieldManager: "somebody"}
	if _, err := at.Patch(p.t.Context(), o.GetName(), types.MergePatchType, []byte(patch), options, subresources...); err != nil {
		p.t.Fatal(err)
	}
}

// holds waits until live objects have all that the parts of objects say.
func (p person) holds(parts string) {
	p.t.Helper()
	wanted, err := world.Read([]byte(parts))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, want := range wanted {
		p.waitFor(want, func(live *unstructured.Unstructured) error { return lacks(live.Object, want.Object) })
	}
}
