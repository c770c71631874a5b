package world

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Check tells what is wrong with an object; nil: nothing.
type Check func(*unstructured.Unstructured) error

// Condition gives a condition as `status/reason: message`, or "absent".
func Condition(u *unstructured.Unstructured, kind string) string {
	list, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, item := range list {
		if c, ok := item.(map[string]any); ok && c["type"] == kind {
			return fmt.Sprintf("%v/%v: %v", c["status"], c["reason"], c["message"])
		}
	}
	return "absent"
}

// HasCondition wants a condition that begins so (`True/Available`, `absent`), at the object's generation.
func HasCondition(kind, want string) Check {
	return func(u *unstructured.Unstructured) error {
		if got := Condition(u, kind); !strings.HasPrefix(got, want) || !isObserved(u) {
			return fmt.Errorf("%s is %s, want %s; status %v", kind, got, want, u.Object["status"])
		}
		return nil
	}
}

// HasStatus wants a value in a field of status, at the object's generation.
func HasStatus(field string, want any) Check {
	return func(u *unstructured.Unstructured) error {
		got, _, _ := unstructured.NestedFieldNoCopy(u.Object, "status", field)
		if got != want || !isObserved(u) {
			return fmt.Errorf("status.%s is %v, want %v; status %v", field, got, want, u.Object["status"])
		}
		return nil
	}
}

// IsReady tells whether an object says that it is ready, at its generation.
func IsReady(u *unstructured.Unstructured) bool {
	return HasCondition("Ready", "True")(u) == nil
}

func isObserved(u *unstructured.Unstructured) bool {
	observed, _, _ := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
	return observed == u.GetGeneration()
}
