package world

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// Space is a namespace, and an administrator who works there; whatever goes wrong fails the test. Objects of
// cluster-scoped kinds are reached too.
type Space struct {
	*World
	Namespace string
	t         testing.TB
}

// Space makes a namespace, or takes one that exists.
func (w *World) Space(t testing.TB, namespace string) *Space {
	t.Helper()
	s := &Space{World: w, Namespace: namespace, t: t}
	s.Apply("{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + "}}")
	return s
}

// Apply applies a YAML text and gives its last object as the server has it.
func (s *Space) Apply(documents string) *unstructured.Unstructured {
	s.t.Helper()
	all, err := s.World.Apply(context.Background(), s.Namespace, documents)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(all) == 0 {
		s.t.Fatalf("applying %q: there is no object in it", documents)
	}
	return all[len(all)-1]
}

// At gives the objects of a kind, once there is such a kind.
func (s *Space) At(kind string) dynamic.ResourceInterface {
	s.t.Helper()
	var at dynamic.ResourceInterface
	Eventually(s.t, "there is no kind "+kind, func() (err error) {
		at, err = s.World.At(kind, s.Namespace)
		return err
	})
	return at
}

// Get reads an object.
func (s *Space) Get(kind, name string) (*unstructured.Unstructured, error) {
	return s.World.Get(context.Background(), kind, s.Namespace, name)
}

// Patch merges a JSON text into an object, as a manager who is neither the engine nor the one who applied it.
func (s *Space) Patch(kind, name, body string) {
	s.t.Helper()
	options := metav1.PatchOptions{FieldManager: "somebody"}
	if _, err := s.At(kind).Patch(context.Background(), name, types.MergePatchType, []byte(body), options); err != nil {
		s.t.Fatalf("patching %s %s: %v", kind, name, err)
	}
}

// Delete deletes an object and does not wait.
func (s *Space) Delete(kind, name string) {
	s.t.Helper()
	if err := s.At(kind).Delete(context.Background(), name, metav1.DeleteOptions{}); err != nil {
		s.t.Fatalf("deleting %s %s: %v", kind, name, err)
	}
}

// WaitGone waits until an object is gone.
func (s *Space) WaitGone(kind, name string) {
	s.t.Helper()
	Eventually(s.t, fmt.Sprintf("%s %s does not go", kind, name), func() error {
		u, err := s.Get(kind, name)
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		return fmt.Errorf("it is there: %v %v", u.GetFinalizers(), u.Object["status"])
	})
}

// Remove deletes an object and waits until it is gone.
func (s *Space) Remove(kind, name string) {
	s.t.Helper()
	s.Delete(kind, name)
	s.WaitGone(kind, name)
}

// WaitFor waits until nothing is wrong with an object, and gives it.
func (s *Space) WaitFor(kind, name string, wrong Check) *unstructured.Unstructured {
	s.t.Helper()
	var out *unstructured.Unstructured
	Eventually(s.t, fmt.Sprintf("%s %s is not as it should be", kind, name), func() error {
		u, err := s.Get(kind, name)
		if err != nil {
			return err
		}
		out = u
		return wrong(u)
	})
	return out
}

// WaitStatus waits for a value in a field of status.
func (s *Space) WaitStatus(kind, name, field string, want any) *unstructured.Unstructured {
	s.t.Helper()
	return s.WaitFor(kind, name, HasStatus(field, want))
}

// WaitCondition waits for a condition that begins so: status/reason.
func (s *Space) WaitCondition(kind, name, condition, want string) *unstructured.Unstructured {
	s.t.Helper()
	return s.WaitFor(kind, name, HasCondition(condition, want))
}

// WaitReady waits until Ready begins so: status/reason.
func (s *Space) WaitReady(kind, name, want string) *unstructured.Unstructured {
	s.t.Helper()
	return s.WaitCondition(kind, name, "Ready", want)
}

// Names gives the names of the objects of a kind that begin so, sorted.
func (s *Space) Names(kind, prefix string) []string {
	s.t.Helper()
	list, err := s.At(kind).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		s.t.Fatalf("listing %s: %v", kind, err)
	}
	var out []string
	for _, u := range list.Items {
		if strings.HasPrefix(u.GetName(), prefix) {
			out = append(out, u.GetName())
		}
	}
	slices.Sort(out)
	return out
}
