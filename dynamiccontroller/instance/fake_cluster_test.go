package instance

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/dynamiccontroller/track"
)

// cluster is an API server for one writer, with the caches of it: what is written is in the caches at once.
type cluster struct {
	t        *testing.T
	mu       sync.Mutex
	objects  map[apply.Place]map[string]any
	version  int
	requests []string         // verb kind name, in order
	fail     map[string]error // by "verb name"
	wanted   []track.External
	unsynced []schema.GroupVersionResource
	accounts map[string]bool // that exist; nil: all
	denied   map[string]bool // resources that accounts may not read

	forgotten []identity.Identity // of whom rights were asked anew
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	return &cluster{t: t, version: 100, objects: map[apply.Place]map[string]any{}, fail: map[string]error{}}
}

func (c *cluster) clients() ClientSet {
	return ClientSet{
		Engine: c, Acting: func(identity.Identity) (apply.API, error) { return c, nil },
		Rights: c, Instances: c, Cache: c.cache(), Wishes: c, Kinds: c,
	}
}

func (c *cluster) called(verb string, at apply.Place) error {
	name := at.Name
	if at.Subresource != "" {
		name += "/" + at.Subresource
	}
	c.requests = append(c.requests, verb+" "+name)
	return c.fail[verb+" "+name]
}

// take gives the requests since the last time, sorted where they ran in parallel.
func (c *cluster) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.requests
	c.requests = nil
	return out
}

func (c *cluster) Patch(_ context.Context, at apply.Place, p apply.Patch) (map[string]any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.called("patch", at); err != nil {
		return nil, err
	}
	key := at
	key.Subresource = ""
	live := c.objects[key]
	metadata := p.Body["metadata"].(map[string]any)
	switch uid := metadata["uid"]; {
	case live != nil && metadata["resourceVersion"] == "1", live == nil && uid != nil:
		return nil, failure(http.StatusConflict, metav1.StatusReasonConflict)
	case live != nil && uid != nil && uid != live["metadata"].(map[string]any)["uid"]:
		return nil, failure(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid)
	}
	c.objects[key] = c.stored(live, p, at.Subresource)
	return c.settle(key), nil
}

// settle removes an object that is being deleted and has no finalizer.
func (c *cluster) settle(key apply.Place) map[string]any {
	object := c.objects[key]
	u := unstructured.Unstructured{Object: object}
	if u.GetDeletionTimestamp() != nil && len(u.GetFinalizers()) == 0 {
		delete(c.objects, key)
	}
	return object
}

func (c *cluster) stored(live map[string]any, p apply.Patch, subresource string) map[string]any {
	body := decoded(c.t, p.Body)
	out := decoded(c.t, live)
	if out == nil {
		out = map[string]any{}
	}
	u := unstructured.Unstructured{Object: out}
	uid, fields := u.GetUID(), u.GetManagedFields()
	switch {
	case subresource == "status":
		out["status"] = body["status"]
	case p.Type != "":
		merge(out, body)
	default:
		status := out["status"]
		merge(out, body)
		for _, k := range []string{"data", "spec"} {
			if v, ok := body[k]; ok {
				out[k] = v
			}
		}
		if status != nil {
			out["status"] = status
		}
		fields = managed(c.t, body)
	}
	if uid == "" {
		uid = types.UID("uid-" + u.GetName())
	}
	c.version++
	u.SetUID(uid)
	u.SetResourceVersion(strconv.Itoa(c.version))
	u.SetManagedFields(fields)
	return out
}

func merge(into, from map[string]any) {
	for k, v := range from {
		below, ok := v.(map[string]any)
		old, was := into[k].(map[string]any)
		switch {
		case v == nil:
			delete(into, k)
		case ok && was:
			merge(old, below)
		default:
			into[k] = v
		}
	}
}

func managed(t *testing.T, body map[string]any) []metav1.ManagedFieldsEntry {
	t.Helper()
	data, err := fieldpath.SetFromValue(value.NewValueInterface(body)).ToJSON()
	if err != nil {
		t.Fatalf("making managedFields: %v", err)
	}
	return []metav1.ManagedFieldsEntry{{
		Manager: "plait.run", Operation: metav1.ManagedFieldsOperationApply, FieldsType: "FieldsV1",
		FieldsV1: metav1.NewFieldsV1(string(data)),
	}}
}

func decoded(t *testing.T, in map[string]any) map[string]any {
	t.Helper()
	if in == nil {
		return nil
	}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatalf("encoding: %v", err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(data, &out); err != nil {
		t.Fatalf("decoding: %v", err)
	}
	return out
}

func (c *cluster) Get(_ context.Context, at apply.Place) (map[string]any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.called("get", at); err != nil {
		return nil, err
	}
	if live, ok := c.objects[at]; ok {
		return live, nil
	}
	return nil, failure(http.StatusNotFound, metav1.StatusReasonNotFound)
}

func (c *cluster) Delete(_ context.Context, at apply.Place, uid types.UID) (gone bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.called("delete", at); err != nil {
		return false, err
	}
	live, ok := c.objects[at]
	if !ok {
		return false, failure(http.StatusNotFound, metav1.StatusReasonNotFound)
	}
	u := unstructured.Unstructured{Object: live}
	if u.GetUID() != uid {
		return false, failure(http.StatusConflict, metav1.StatusReasonConflict)
	}
	c.markDeleted(at)
	_, still := c.objects[at]
	return !still, nil
}

// markDeleted begins the deletion of an object.
func (c *cluster) markDeleted(at apply.Place) {
	u := unstructured.Unstructured{Object: decoded(c.t, c.objects[at])}
	u.SetDeletionTimestamp(&metav1.Time{Time: testNow})
	c.version++
	u.SetResourceVersion(strconv.Itoa(c.version))
	c.objects[at] = u.Object
	c.settle(at)
}

// hold puts a finalizer of somebody else on a ConfigMap, unhold takes it off.
func (c *cluster) hold(name string) { c.setFinalizers(name, []string{"example.com/hold"}) }

func (c *cluster) unhold(name string) { c.setFinalizers(name, nil) }

func (c *cluster) setFinalizers(name string, finalizers []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := apply.Place{Resource: configMaps, Namespace: testKey.Namespace, Name: name}
	u := unstructured.Unstructured{Object: decoded(c.t, c.objects[at])}
	u.SetFinalizers(finalizers)
	c.objects[at] = u.Object
	c.settle(at)
}

func (c *cluster) Instance(gvr schema.GroupVersionResource, key types.NamespacedName) (*unstructured.Unstructured, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	live, ok := c.objects[apply.Place{Resource: gvr, Namespace: key.Namespace, Name: key.Name}]
	return &unstructured.Unstructured{Object: live}, ok
}

func (c *cluster) Wrote(schema.GroupVersionResource, *unstructured.Unstructured) {}

func (c *cluster) AddWanted(_ track.Owner, _ []schema.GroupVersionResource, externals []track.External) {
	c.wanted = append(c.wanted, externals...)
}

func (c *cluster) SetWanted(_ track.Owner, _ []schema.GroupVersionResource, externals []track.External) {
	c.wanted = externals
}

func (c *cluster) Locate(_ context.Context, kind schema.GroupKind) (schema.GroupVersionResource, bool, error) {
	if kind.Kind == "Gone" {
		return schema.GroupVersionResource{}, false, nil
	}
	if kind.Kind == "Unclear" {
		return schema.GroupVersionResource{}, false, fmt.Errorf("group %q does not answer", kind.Group)
	}
	return schema.GroupVersionResource{Group: kind.Group, Version: "v1", Resource: strings.ToLower(kind.Kind) + "s"}, true, nil
}

func (c *cluster) Forget(id identity.Identity) { c.forgotten = append(c.forgotten, id) }

func (c *cluster) May(_ context.Context, _ identity.Identity, r identity.Request) (bool, string, error) {
	return !c.denied[r.Resource.Resource], "", nil
}

func (c *cluster) Exists(_ context.Context, id identity.Identity) (bool, error) {
	return c.accounts == nil || c.accounts[id.String()], nil
}

func (c *cluster) cache() Cache { return childCache{c} }

type childCache struct{ *cluster }

func (c childCache) Children(uid types.UID, resources []schema.GroupVersionResource) ([]*unstructured.Unstructured, []schema.GroupVersionResource) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []*unstructured.Unstructured
	for at, live := range c.objects {
		u := &unstructured.Unstructured{Object: live}
		if slices.Contains(resources, at.Resource) && u.GetLabels()["plait.run/instance-uid"] == string(uid) && !slices.Contains(c.unsynced, at.Resource) {
			out = append(out, u)
		}
	}
	return out, c.unsynced
}

func (c childCache) External(key track.External) ([]*unstructured.Unstructured, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.wanted, key) {
		c.t.Errorf("external %v is read before it is wanted", key)
	}
	live, ok := c.objects[apply.Place{Resource: key.Resource, Namespace: key.Namespace, Name: key.Name}]
	if !ok {
		return nil, true
	}
	return []*unstructured.Unstructured{{Object: live}}, true
}

func failure(code int32, reason metav1.StatusReason) *apierrors.StatusError {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason, Message: "refused"}}
}

// names gives the sorted names of the objects of a resource.
func (c *cluster) names(resource string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for at := range maps.Keys(c.objects) {
		if at.Resource.Resource == resource {
			out = append(out, at.Name)
		}
	}
	slices.Sort(out)
	return out
}
