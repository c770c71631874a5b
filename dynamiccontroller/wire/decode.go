package wire

import (
	"bytes"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// negotiator puts the fast decoders before those of client-go.
type negotiator struct{ runtime.NegotiatedSerializer }

// SupportedMediaTypes is part of runtime.NegotiatedSerializer.
func (n negotiator) SupportedMediaTypes() []runtime.SerializerInfo {
	infos := n.NegotiatedSerializer.SupportedMediaTypes()
	out := make([]runtime.SerializerInfo, len(infos))
	for i, info := range infos {
		if info.MediaType == runtime.ContentTypeJSON {
			stream := *info.StreamSerializer
			stream.Serializer = events{stream.Serializer}
			info.Serializer, info.StreamSerializer = objects{info.Serializer}, &stream
		}
		out[i] = info
	}
	return out
}

// objects decodes single objects, and leaves everything else to the serializer of client-go.
type objects struct{ runtime.Serializer }

// Decode is part of runtime.Decoder. What nobody has named beforehand comes from a watch: an object, or a Status.
func (o objects) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	target, isObject := into.(*unstructured.Unstructured)
	if into != nil && !isObject {
		return o.Serializer.Decode(data, defaults, into)
	}
	var content map[string]any
	if err := utiljson.Unmarshal(data, &content); err != nil {
		return nil, nil, fmt.Errorf("decoding an object: %w", err)
	}
	if target == nil {
		target = &unstructured.Unstructured{}
	}
	target.Object = content
	kind := target.GroupVersionKind()
	_, isList := content["items"]
	if kind.Kind == "" || isList || (into == nil && kind.Group == "" && kind.Kind == "Status") {
		target.Object = nil
		return o.Serializer.Decode(data, defaults, into)
	}
	return target, &kind, nil
}

// events decodes the envelopes of a watch, and leaves everything else to the serializer of client-go.
type events struct{ runtime.Serializer }

// Decode is part of runtime.Decoder.
func (e events) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	event, ok := into.(*metav1.WatchEvent)
	if !ok {
		return e.Serializer.Decode(data, defaults, into)
	}
	if name, object, ok := cutEnvelope(data); ok {
		event.Type, event.Object.Raw = name, object
	} else if err := json.Unmarshal(data, event); err != nil {
		return nil, nil, fmt.Errorf("decoding an event of a watch: %w", err)
	}
	kind := metav1.SchemeGroupVersion.WithKind("WatchEvent")
	return event, &kind, nil
}

// cutEnvelope takes the envelope that API servers write off an object without reading that, which whoever decodes it does.
// The object shares data's memory.
func cutEnvelope(data []byte) (name string, object []byte, ok bool) {
	rest, hasStart := bytes.CutPrefix(data, []byte(`{"type":"`))
	kind, rest, hasObject := bytes.Cut(rest, []byte(`","object":{`))
	rest, hasEnd := bytes.CutSuffix(bytes.TrimRight(rest, "\r\n\t "), []byte("}}"))
	if !hasStart || !hasObject || !hasEnd || bytes.ContainsAny(kind, "\"\\") {
		return "", nil, false
	}
	from := len(`{"type":"","object":`) + len(kind)
	return string(kind), data[from : from+len(rest)+2], true
}
