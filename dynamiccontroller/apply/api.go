package apply

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/api/v1alpha1"
)

// callTimeout bounds one call; the queue does the waiting.
const callTimeout = 30 * time.Second

// Place is where an object is served.
type Place struct {
	Resource    schema.GroupVersionResource
	Namespace   string // empty for cluster-scoped kinds
	Name        string
	Subresource string // status, or empty
}

// Patch is a change to one object.
type Patch struct {
	Type    types.PatchType // server-side apply when empty
	Body    map[string]any
	Force   bool   // of server-side apply: takes fields from other managers
	DryRun  bool   // nothing is kept
	Manager string // v1alpha1.FieldManager when empty
}

// API is the door to the API server of one identity. Errors are those of apimachinery's errors package, or of the
// network.
type API interface {
	// Patch changes an object, or by server-side apply creates it, and gives it as the server has it then.
	Patch(ctx context.Context, at Place, p Patch) (map[string]any, error)
	// Get reads an object from the server, past every cache.
	Get(ctx context.Context, at Place) (map[string]any, error)
	// Delete deletes the object of just this UID, what it owns in the background. Another one of its name is a conflict.
	// gone tells that the answer shows that the object is not there any more; else it may be going.
	Delete(ctx context.Context, at Place, uid types.UID) (gone bool, err error)
}

// NewAPI gives the API of whoever both clients act as. The plain one is for deletions, to whose answers the dynamic one
// is deaf.
func NewAPI(client dynamic.Interface, plain rest.Interface) API { return clientAPI{client, plain} }

type clientAPI struct {
	client dynamic.Interface
	plain  rest.Interface
}

func (a clientAPI) Patch(ctx context.Context, at Place, p Patch) (map[string]any, error) {
	body, err := json.Marshal(p.Body)
	if err != nil {
		return nil, fmt.Errorf("encoding %q: %w", at.Name, err)
	}
	options := metav1.PatchOptions{FieldManager: cmp.Or(p.Manager, v1alpha1.FieldManager)}
	if p.Type == "" {
		// What the server would look for on top are keys that are there twice, which no encoder writes, at the price of
		// reading the body a second time. Fields that no schema has are a fault of an apply in any case.
		p.Type, options.Force, options.FieldValidation = types.ApplyYAMLPatchType, &p.Force, metav1.FieldValidationIgnore
	}
	if p.DryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return content(a.at(at).Patch(ctx, at.Name, p.Type, body, options, at.subresources()...))
}

func (a clientAPI) Get(ctx context.Context, at Place) (map[string]any, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return content(a.at(at).Get(ctx, at.Name, metav1.GetOptions{}, at.subresources()...))
}

func (a clientAPI) at(at Place) dynamic.ResourceInterface {
	resource := a.client.Resource(at.Resource)
	if at.Namespace == "" {
		return resource
	}
	return resource.Namespace(at.Namespace)
}

func (at Place) subresources() []string {
	if at.Subresource == "" {
		return nil
	}
	return []string{at.Subresource}
}

func content(u *unstructured.Unstructured, err error) (map[string]any, error) {
	if err != nil {
		return nil, err
	}
	return u.Object, nil
}
