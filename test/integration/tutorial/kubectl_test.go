package tutorial_test

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

// kubectl does what the few forms of kubectl do that the page uses, so that the test needs none.
func (r *reader) kubectl(words []string) string {
	r.t.Helper()
	switch words[0] {
	case "apply":
		return r.apply(words[1:])
	case "wait":
		return r.wait(strings.TrimPrefix(words[1], "--for="), words[2])
	case "get":
		kind, name, path := words[1], words[2], strings.TrimPrefix(words[len(words)-1], "jsonpath=")
		live, err := r.Get(kind, name)
		if err != nil {
			r.t.Fatal(err)
		}
		return fieldOf(live, path)
	case "patch":
		return r.patch(words[1], words[2], words[len(words)-1])
	case "delete":
		r.Remove(words[1], words[2])
		return ""
	}
	r.t.Fatalf("the test does not know kubectl %v", words)
	return ""
}

// wait waits for condition=Ready or jsonpath={.a.b}=value.
func (r *reader) wait(what, object string) string {
	r.t.Helper()
	kind, name, _ := strings.Cut(object, "/")
	if path, ok := strings.CutPrefix(what, "jsonpath="); ok {
		path, want, _ := strings.Cut(path, "=")
		r.WaitFor(kind, name, func(live *unstructured.Unstructured) error {
			if got := fieldOf(live, path); got != want {
				return fmt.Errorf("%s is %q, want %q", path, got, want)
			}
			return nil
		})
		return ""
	}
	r.WaitFor(kind, name, world.HasCondition(strings.TrimPrefix(what, "condition="), "True"))
	return ""
}

// fieldOf gives the text of {.a.b}.
func fieldOf(live *unstructured.Unstructured, path string) string {
	value, ok, _ := unstructured.NestedFieldNoCopy(live.Object, strings.Split(strings.Trim(path, "{.}"), ".")...)
	if !ok {
		return ""
	}
	return fmt.Sprint(value)
}

// patch gives what the API server says against it.
func (r *reader) patch(kind, name, body string) string {
	r.t.Helper()
	options := metav1.PatchOptions{FieldManager: "kubectl-patch"}
	if _, err := r.At(kind).Patch(context.Background(), name, types.MergePatchType, []byte(body), options); err != nil {
		return err.Error()
	}
	return "patched"
}
