package apply

import (
	"crypto/sha256"
	"encoding/base64"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/contenthash"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/runtime/plan"
)

// Owner is the instance that children belong to. Safe to copy.
type Owner struct {
	GVK        schema.GroupVersionKind
	Namespace  string // empty for a cluster-scoped instance
	Name       string
	UID        types.UID
	References bool              // children get an owner reference where Kubernetes allows one
	Labels     map[string]string // further labels of every child; may be nil; never changed
}

// String is the value of the annotation plait.run/instance: `WebApp.apps.example.com/team-a/shop`.
func (o Owner) String() string {
	return track.Instance{Group: o.GVK.Group, Kind: o.GVK.Kind, Namespace: o.Namespace, Name: o.Name}.String()
}

// ApplySetID is the id of the instance's ApplySet, as KEP-3659 forms it.
func (o Owner) ApplySetID() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{o.Name, o.Namespace, o.GVK.Kind, o.GVK.Group}, ".")))
	return "applyset-" + base64.RawURLEncoding.EncodeToString(sum[:]) + "-v1"
}

// Bucket is the value of the label plait.run/bucket, on the instance and its children.
func (o Owner) Bucket() string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(o.UID))
	return strconv.FormatUint(uint64(h.Sum32()%v1alpha1.BucketCount), 10)
}

// Marked gives the object as it is to be applied: what was rendered, the marks, and the hash of both. The rendered
// object is not changed; what is below its metadata is shared with it.
func (o Owner) Marked(obj plan.Object) map[string]any {
	out := make(map[string]any, len(obj.Rendered))
	for k, v := range obj.Rendered {
		out[k] = v
	}
	if obj.GVK == secretKind {
		asData(out)
	}
	metadata := copyMap(obj.Rendered["metadata"])
	out["metadata"] = metadata
	metadata["name"] = obj.Key.Name
	if obj.Key.Namespace != "" {
		metadata["namespace"] = obj.Key.Namespace
	}
	metadata["labels"] = merged(merged(metadata["labels"], o.extraLabels()), o.labels())
	annotations := merged(metadata["annotations"], o.annotations(obj))
	metadata["annotations"] = annotations
	if o.refersTo(obj) {
		references, _ := metadata["ownerReferences"].([]any)
		metadata["ownerReferences"] = append(slices.Clone(references), o.reference())
	}
	annotations[v1alpha1.AnnotationAppliedHash] = contenthash.Of(without(out, ignored(obj)))
	return out
}

func (o Owner) labels() map[string]any {
	return map[string]any{
		v1alpha1.LabelOwned:          v1alpha1.True,
		v1alpha1.LabelInstanceUID:    string(o.UID),
		v1alpha1.LabelBucket:         o.Bucket(),
		v1alpha1.LabelApplySetPartOf: o.ApplySetID(),
		v1alpha1.LabelManagedBy:      v1alpha1.ManagedByPlait,
	}
}

func (o Owner) extraLabels() map[string]any {
	out := make(map[string]any, len(o.Labels))
	for k, v := range o.Labels {
		out[k] = v
	}
	return out
}

func (o Owner) annotations(obj plan.Object) map[string]any {
	out := map[string]any{
		v1alpha1.AnnotationInstance: o.String(),
		v1alpha1.AnnotationNode:     obj.Node,
		v1alpha1.AnnotationNeeds:    plan.FormatNeeds(obj.Needs),
	}
	if obj.Item != "" {
		out[v1alpha1.AnnotationItem] = obj.Item
	}
	if obj.Lifecycle.Orphan {
		out[v1alpha1.AnnotationDeletion] = v1alpha1.DeletionPolicyOrphan
	}
	return out
}

// refersTo tells whether the child gets an owner reference: a namespaced instance can own only what lives in its
// namespace, and what is left behind on deletion must not be garbage-collected.
func (o Owner) refersTo(obj plan.Object) bool {
	return o.References && !obj.Lifecycle.Orphan && (o.Namespace == "" || o.Namespace == obj.Key.Namespace)
}

func (o Owner) reference() map[string]any {
	return map[string]any{
		"apiVersion":         o.GVK.GroupVersion().String(),
		"kind":               o.GVK.Kind,
		"name":               o.Name,
		"uid":                string(o.UID),
		"blockOwnerDeletion": false,
	}
}

func copyMap(v any) map[string]any {
	in, _ := v.(map[string]any)
	out := make(map[string]any, len(in)+4)
	for k, item := range in {
		out[k] = item
	}
	return out
}

func merged(base any, added map[string]any) map[string]any {
	out := copyMap(base)
	for k, v := range added {
		out[k] = v
	}
	return out
}
