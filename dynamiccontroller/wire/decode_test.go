package wire

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// decoded is all that a decoder gives.
type decoded struct {
	Object runtime.Object
	Kind   *schema.GroupVersionKind
	Failed bool
}

// TestDecodeLikeClientGo holds the decoders against those that they stand before.
func TestDecodeLikeClientGo(t *testing.T) {
	standard := dynamic.ConfigFor(&rest.Config{}).NegotiatedSerializer.SupportedMediaTypes()[0]
	fast := negotiator{dynamic.ConfigFor(&rest.Config{}).NegotiatedSerializer}.SupportedMediaTypes()[0]
	const (
		object = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"n":1,"f":1.5,"big":9007199254740993,"Null":null,"list":[1,"x"]}}`
		status = `{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"Expired","code":410}`
		list   = `{"apiVersion":"v1","kind":"ConfigMapList","metadata":{"resourceVersion":"7"},"items":[` + object + `]}`
	)
	single := func() runtime.Object { return &unstructured.Unstructured{} }
	tests := map[string]struct {
		data string
		into func() runtime.Object // nil: nothing
	}{
		"object":                  {object, single},
		"object of a watch":       {object, nil},
		"status":                  {status, nil},
		"status as an object":     {status, single},
		"list":                    {list, func() runtime.Object { return &unstructured.UnstructuredList{} }},
		"list of a watch":         {list, nil},
		"list where one is asked": {list, single},
		"options":                 {`{"kind":"DeleteOptions","apiVersion":"v1"}`, func() runtime.Object { return &metav1.DeleteOptions{} }},
		"no kind":                 {`{"metadata":{"name":"a"}}`, single},
		"no object":               {`[1]`, single},
		"no JSON":                 {`{"kind":`, single},
		"nothing":                 {``, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			decode := func(from runtime.Decoder) decoded {
				var into runtime.Object
				if tt.into != nil {
					into = tt.into()
				}
				object, kind, err := from.Decode([]byte(tt.data), nil, into)
				if err != nil {
					return decoded{Failed: true}
				}
				return decoded{Object: object, Kind: kind}
			}
			if diff := cmp.Diff(decode(standard.Serializer), decode(fast.Serializer)); diff != "" {
				t.Errorf("client-go's and ours (-theirs +ours):\n%s", diff)
			}
		})
	}
}

func TestWatch(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", runtime.ContentTypeJSON)
		_, _ = io.WriteString(w, `{"type":"ADDED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}}
{"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"resourceVersion":"9"}}}
{"type":"ERROR","object":{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"Expired","code":410}}
`)
	}))
	defer server.Close()
	client, _, err := NewClients(&rest.Config{Host: server.URL}, server.Client())
	if err != nil {
		t.Fatal(err)
	}
	w, err := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for event := range w.ResultChan() {
		text := string(event.Type)
		switch object := event.Object.(type) {
		case *unstructured.Unstructured:
			text += " " + object.GetKind() + object.GetName() + object.GetResourceVersion()
		default:
			text += " " + string(apierrors.ReasonForError(apierrors.FromObject(object)))
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{string(watch.Added) + " ConfigMapa", "BOOKMARK ConfigMap9", "ERROR Expired"}, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
