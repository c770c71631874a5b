package examples

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

// space is where the examples live.
type space struct {
	*world.Space
	t *testing.T
}

// read gives the one object of a file.
func read(t *testing.T, file string) *unstructured.Unstructured {
	t.Helper()
	all, err := world.ReadFile(file)
	if err != nil || len(all) != 1 {
		t.Fatalf("%s: %d objects, error %v", file, len(all), err)
	}
	return all[0]
}

func (s *space) applyObject(o *unstructured.Unstructured) {
	s.t.Helper()
	if _, err := s.World.ApplyObject(s.t.Context(), s.Namespace, o); err != nil {
		s.t.Fatal(err)
	}
}

// mustHave waits for a value at a path; the last argument is the value.
func (s *space) mustHave(kind, name string, pathAndValue ...any) {
	s.t.Helper()
	last := len(pathAndValue) - 1
	var path []string
	for _, step := range pathAndValue[:last] {
		path = append(path, fmt.Sprint(step))
	}
	s.WaitFor(kind, name, func(o *unstructured.Unstructured) error {
		if got, _, err := unstructured.NestedFieldNoCopy(o.Object, path...); err != nil || got != pathAndValue[last] {
			return fmt.Errorf("%s is %v, want %v", strings.Join(path, "."), got, pathAndValue[last])
		}
		return nil
	})
}

// kindsOfExamples are those whose objects an example may leave behind.
var kindsOfExamples = []string{
	"ConfigMap", "Service", "Pod", "Deployment", "ReplicaSet", "Ingress", "ResourceGroup", "ResourceGroupRevision",
}

// everything names all objects of these kinds in all namespaces; a kind that is not there yet has none.
func (s *space) everything() []string {
	s.t.Helper()
	var names []string
	for _, kind := range kindsOfExamples {
		at, err := s.World.At(kind, metav1.NamespaceAll)
		if err != nil {
			s.t.Fatal(err)
		}
		list, err := at.List(s.t.Context(), metav1.ListOptions{})
		if err != nil {
			s.t.Fatal(err)
		}
		for _, item := range list.Items {
			names = append(names, item.GetKind()+" "+item.GetNamespace()+"/"+item.GetName())
		}
	}
	slices.Sort(names)
	return names
}

func (s *space) nothingBut(before []string) {
	s.t.Helper()
	world.Eventually(s.t, "something is left", func() error {
		var left []string
		for _, name := range s.everything() {
			if !slices.Contains(before, name) && !strings.Contains(name, "kube-root-ca.crt") {
				left = append(left, name)
			}
		}
		if len(left) > 0 {
			return fmt.Errorf("%s", strings.Join(left, ", "))
		}
		return nil
	})
}

func isActive(o *unstructured.Unstructured) error {
	if err := world.HasStatus("state", "ACTIVE")(o); err != nil {
		return err
	}
	return world.HasCondition("Ready", "True")(o)
}

func failedWith(text string) world.Check {
	return func(o *unstructured.Unstructured) error {
		if got := world.Condition(o, "Ready"); !strings.Contains(got, text) {
			return fmt.Errorf("Ready is %s, want %q in it", got, text)
		}
		return world.HasStatus("state", "FAILED")(o)
	}
}

func (s *space) mustLack(kind, name string) {
	s.t.Helper()
	world.Eventually(s.t, kind+" "+name+" is there", func() error {
		_, err := s.Get(kind, name)
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("reading it: %w", err)
	})
}
