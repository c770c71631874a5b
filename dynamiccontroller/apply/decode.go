package apply

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/plait-run/plait/runtime/plan"
)

// maxShown is how many characters of a value a message shows.
const maxShown = 64

// unreadable explains an answer of 500 to an object that no API server can decode, such as one with a quantity that is
// none: built-in kinds answer so, since they decode before they validate. Nil: the object is well, so the server is not.
func unreadable(obj plan.Object, err error) *plan.Fault {
	s, answered := statusOf(err)
	if !answered || s.Code != http.StatusInternalServerError || obj.Rendered == nil || decodes(obj, obj.Rendered) == nil {
		return nil
	}
	message := "the API server cannot read it"
	if field, value, cause := culprit(obj); field != "" {
		message = fmt.Sprintf("the API server cannot read %s", field)
		if !obj.Secret {
			message += fmt.Sprintf(", %s: %s", quoted(value), shorten(cause.Error()))
		}
	}
	return &plan.Fault{Reason: plan.ReasonInvalidObject, Message: message}
}

// decodes tries what an API server does with a built-in kind. Of other kinds it is silent.
func decodes(obj plan.Object, content map[string]any) error {
	typed, err := scheme.Scheme.New(obj.GVK)
	if err != nil {
		return nil //nolint:nilerr // not built in: such a kind is validated, and answered with 422
	}
	return runtime.DefaultUnstructuredConverter.FromUnstructured(content, typed)
}

// culprit gives the first field, in the order of their names, that alone keeps the object from being decoded.
func culprit(obj plan.Object) (field string, value any, cause error) {
	errFound := errors.New("found")
	_ = leaves(obj.Rendered, "", func(path string, leaf any, wrap func(any) any) error {
		alone, ok := wrap(leaf).(map[string]any)
		if !ok {
			return nil
		}
		if cause = decodes(obj, alone); cause == nil {
			return nil
		}
		field, value = path, leaf
		return errFound
	})
	return field, value, cause
}

// leaves visits all values that hold no other, with their path and a function that puts a value in just that place of
// an object. The first error ends it.
func leaves(v any, path string, visit func(path string, leaf any, wrap func(any) any) error) error {
	return walk(v, path, func(leaf any) any { return leaf }, visit)
}

func walk(v any, path string, wrap func(any) any, visit func(string, any, func(any) any) error) error {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			next := func(leaf any) any { return wrap(map[string]any{k: leaf}) }
			if err := walk(v[k], joined(path, k), next, visit); err != nil {
				return err
			}
		}
		return nil
	case []any:
		for i, item := range v {
			next := func(leaf any) any { return wrap([]any{leaf}) }
			if err := walk(item, path+"["+strconv.Itoa(i)+"]", next, visit); err != nil {
				return err
			}
		}
		return nil
	default:
		return visit(path, v, wrap)
	}
}

func joined(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func quoted(value any) string {
	text, ok := value.(string)
	if !ok {
		return fmt.Sprint(value)
	}
	if runes := []rune(text); len(runes) > maxShown {
		text = string(runes[:maxShown]) + "…"
	}
	return strconv.Quote(text)
}
