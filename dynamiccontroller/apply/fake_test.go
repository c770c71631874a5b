package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// fakeAPI is one object's API server: it creates, applies and deletes as server-side apply does, for one manager.
type fakeAPI struct {
	t         *testing.T
	live      map[string]any // nil: not there
	fail      map[string]error
	immutable bool    // every change is refused
	lingers   bool    // deleted objects stay
	tries     []error // of writes that are not kept, in turn; then fail decides
	calls     []string
	bodies    []map[string]any
}

func (f *fakeAPI) called(verb string) error {
	f.calls = append(f.calls, verb)
	return f.fail[verb]
}

func (f *fakeAPI) Patch(_ context.Context, _ Place, p Patch) (map[string]any, error) {
	if p.DryRun {
		err := f.called("try")
		if len(f.tries) > 0 {
			err, f.tries = f.tries[0], f.tries[1:]
		}
		return nil, err
	}
	f.bodies = append(f.bodies, p.Body)
	if err := f.called("patch"); err != nil {
		return nil, err
	}
	metadata := p.Body["metadata"].(map[string]any)
	uid, named := metadata["uid"]
	switch {
	case f.live != nil && metadata["resourceVersion"] == createOnly:
		return nil, statusError(http.StatusConflict, metav1.StatusReasonConflict)
	case f.live == nil && named:
		return nil, statusError(http.StatusConflict, metav1.StatusReasonConflict)
	case f.live != nil && named && uid != string((&unstructured.Unstructured{Object: f.live}).GetUID()):
		return nil, invalidError("metadata.uid", metav1.CauseTypeFieldValueInvalid)
	}
	if f.live != nil && f.immutable {
		return nil, invalidError("spec.selector", metav1.CauseTypeFieldValueInvalid)
	}
	f.live = stored(f.t, p.Body)
	return f.live, nil
}

func (f *fakeAPI) Get(context.Context, Place) (map[string]any, error) {
	if err := f.called("get"); err != nil {
		return nil, err
	}
	if f.live == nil {
		return nil, statusError(http.StatusNotFound, metav1.StatusReasonNotFound)
	}
	return f.live, nil
}

func (f *fakeAPI) Delete(_ context.Context, _ Place, uid types.UID) (gone bool, err error) {
	if err := f.called("delete"); err != nil {
		return false, err
	}
	if f.live == nil {
		return false, statusError(http.StatusNotFound, metav1.StatusReasonNotFound)
	}
	if (&unstructured.Unstructured{Object: f.live}).GetUID() != uid {
		return false, statusError(http.StatusConflict, metav1.StatusReasonConflict)
	}
	if f.lingers {
		return false, nil
	}
	f.live = nil
	return true, nil
}

// stored is what a server keeps of an applied object: a UID, and an entry in managedFields.
func stored(t testing.TB, body map[string]any) map[string]any {
	t.Helper()
	out := maps.Clone(body)
	metadata := maps.Clone(body["metadata"].(map[string]any))
	out["metadata"] = metadata
	if metadata["uid"] == nil {
		metadata["uid"] = "uid-of-" + fmt.Sprint(metadata["name"])
	}
	metadata["resourceVersion"] = "7"
	set := fieldpath.SetFromValue(value.NewValueInterface(body))
	data, err := set.ToJSON()
	if err != nil {
		t.Fatalf("making managedFields: %v", err)
	}
	var fields any
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatalf("making managedFields: %v", err)
	}
	metadata["managedFields"] = []any{map[string]any{
		"manager": "plait.run", "operation": "Apply", "fieldsType": "FieldsV1", "fieldsV1": fields,
	}}
	return out
}

func statusError(code int32, reason metav1.StatusReason, causes ...metav1.StatusCause) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: "the server's words",
		Details: &metav1.StatusDetails{Causes: causes},
	}}
}

func invalidError(field string, kind metav1.CauseType) error {
	return statusError(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid,
		metav1.StatusCause{Type: kind, Message: "s3cret is wrong", Field: field})
}
