package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

func (a clientAPI) Delete(ctx context.Context, at Place, uid types.UID) (gone bool, err error) {
	background := metav1.DeletePropagationBackground
	body, err := json.Marshal(metav1.DeleteOptions{
		TypeMeta:          metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"},
		Preconditions:     &metav1.Preconditions{UID: &uid},
		PropagationPolicy: &background,
	})
	if err != nil {
		return false, fmt.Errorf("encoding how to delete %q: %w", at.Name, err)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	result := a.plain.Delete().AbsPath(at.path()...).SetHeader("Content-Type", runtime.ContentTypeJSON).Body(body).Do(ctx)
	if err := result.Error(); err != nil {
		return false, err
	}
	var code int
	result.StatusCode(&code)
	answer, err := result.Raw()
	return err == nil && code == http.StatusOK && isGone(answer), nil
}

// path gives the segments of the object's URL.
func (at Place) path() []string {
	out := []string{"apis", at.Resource.Group, at.Resource.Version}
	if at.Resource.Group == "" {
		out = []string{"api", at.Resource.Version}
	}
	if at.Namespace != "" {
		out = append(out, "namespaces", at.Namespace)
	}
	return append(append(out, at.Resource.Resource, at.Name), at.subresources()...)
}

// isGone reads the answer to a deletion: a success without an object, or the object in its last state. An object that
// waits for a finalizer or for its time to run out shows that.
func isGone(answer []byte) bool {
	var a struct {
		metav1.TypeMeta `json:",inline"`
		Metadata        metav1.ObjectMeta `json:"metadata"`
	}
	if err := json.Unmarshal(answer, &a); err != nil || a.Kind == "" {
		return false
	}
	if a.APIVersion == "v1" && a.Kind == "Status" {
		return true
	}
	grace := a.Metadata.DeletionGracePeriodSeconds
	isGoing := a.Metadata.DeletionTimestamp != nil && (grace == nil || *grace > 0)
	return len(a.Metadata.Finalizers) == 0 && !isGoing
}
