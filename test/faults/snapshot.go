package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// snapshot is every value of every object with a copy's token in its name, by `Kind/name field.field`, in a form that is
// the same for all copies.
type snapshot map[string]string

// snapshots takes those of all copies at once, in both worlds.
func (w *rig) snapshots(ctx context.Context, resource schema.GroupVersionResource) (map[string]snapshot, error) {
	here := []schema.GroupVersionResource{
		configMaps, limits, secrets, groups, revisions, crds, connectionKind, clusterBindings, bindings, workspaces, resource,
	}
	uids := map[string]string{}
	ours, err := copied(ctx, w.client, here, uids)
	if err != nil {
		return nil, err
	}
	theirs, err := copied(ctx, w.provider.Client, []schema.GroupVersionResource{configMaps, crds, stores}, uids)
	if err != nil {
		return nil, err
	}
	out := map[string]snapshot{}
	for side, all := range map[string][]*unstructured.Unstructured{"": ours, atProvider: theirs} {
		for _, u := range all {
			of := tokenOf(u.GetName())
			if out[of] == nil {
				out[of] = snapshot{}
			}
			content, err := compared(u, uids)
			if err != nil {
				return nil, err
			}
			flatten(out[of], side+withoutToken(u.GetKind()+"/"+u.GetName())+" ", content)
		}
	}
	return out, nil
}

// copied gives the objects of copies, and notes what the UIDs of all objects stand for.
func copied(ctx context.Context, client dynamic.Interface, from []schema.GroupVersionResource, uids map[string]string) ([]*unstructured.Unstructured, error) {
	var out []*unstructured.Unstructured
	for _, gvr := range from {
		list, err := client.Resource(gvr).List(ctx, metav1.ListOptions{})
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("listing %s: %w", gvr.Resource, err)
		}
		for i := range list.Items {
			u := &list.Items[i]
			uids[string(u.GetUID())] = "uid of " + withoutToken(u.GetKind()+" "+u.GetName())
			if tokenOf(u.GetName()) != "" {
				out = append(out, u)
			}
		}
	}
	return out, nil
}

// flatten puts the values below a path into a snapshot.
func flatten(into snapshot, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, item := range v {
			flatten(into, path+"."+k, item)
		}
	case []any:
		for i, item := range v {
			flatten(into, fmt.Sprintf("%s[%d]", path, i), item)
		}
	}
	if text, err := json.Marshal(v); err == nil && len(text) > 0 && text[0] != '[' && (text[0] != '{' || string(text) == "{}") {
		into[path] = string(text)
	}
}

// notCompared are what two runs may differ in: versions, times, and hashes of names. Who owns a time that an engine notes of
// its own work is not either: an engine that comes up after a crash finds the work done, and has no time to note.
var notCompared = []string{
	"uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "selfLink", "time", "since", "lastTransitionTime",
	"plait.run/applied-hash", "plait.run/bucket", "plait.run/revision-hash", "applyset.kubernetes.io/part-of",
	"applyset.kubernetes.io/id", "hash", "plait.run/schema-hash", "schemaHash", "lastDiscoveryTime", "lastHeartbeatTime", "lastSyncTime",
	"f:lastDiscoveryTime", "f:lastHeartbeatTime", "f:lastSyncTime",
}

// compared gives an object without what two runs may differ in, UIDs and tokens replaced.
func compared(u *unstructured.Unstructured, uids map[string]string) (any, error) {
	object := u.DeepCopy().Object
	unstructured.RemoveNestedField(object, "status", "instances")
	if metadata, ok := object["metadata"].(map[string]any); ok {
		metadata["managedFields"] = byManager(u.GetManagedFields())
	}
	data, err := json.Marshal(strip(object))
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", u.GetName(), err)
	}
	text := withoutToken(string(data))
	for _, uid := range slices.Sorted(maps.Keys(uids)) {
		text = strings.ReplaceAll(text, uid, uids[uid])
	}
	var out any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		return nil, fmt.Errorf("decoding %s: %w", u.GetName(), err)
	}
	return out, nil
}

// strip drops fields that are not compared, wherever they are.
func strip(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range notCompared {
			delete(v, k)
		}
		for k := range v {
			v[k] = strip(v[k])
		}
	case []any:
		for i := range v {
			v[i] = strip(v[i])
		}
	}
	return v
}

// byManager gives who owns which fields.
func byManager(entries []metav1.ManagedFieldsEntry) map[string]any {
	out := map[string]any{}
	for _, e := range entries {
		var fields map[string]any
		if e.FieldsV1 == nil || json.Unmarshal([]byte(e.FieldsV1.String()), &fields) != nil {
			continue
		}
		unstructured.RemoveNestedField(fields, "f:status", "f:instances")
		out[strings.Join([]string{e.Manager, string(e.Operation), e.Subresource}, " ")] = fields
	}
	return out
}

// diff gives what two copies differ in, a line each.
func (s snapshot) diff(other snapshot) string {
	var out []string
	for k, v := range s {
		if other[k] != v {
			out = append(out, k+" -"+v)
		}
	}
	for k, v := range other {
		if s[k] != v {
			out = append(out, k+" +"+v)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
