package managedfields

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func fromYAML(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("reading the test's YAML: %v", err)
	}
	return out
}

func TestLost(t *testing.T) {
	cases := map[string]struct {
		applied string
		fields  string
		want    []string
	}{
		"all owned": {
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b, labels: {x: y}}, data: {k: v}}",
			`{"f:data":{"f:k":{}},"f:metadata":{"f:labels":{"f:x":{}}}}`, nil},
		"one value taken":    {"{data: {k: v, l: w}}", `{"f:data":{"f:k":{}}}`, []string{".data.l"}},
		"all of a map taken": {"{data: {k: v}, a: 1}", `{"f:a":{}}`, []string{".data"}},
		"atomic map":         {"{spec: {selector: {app: x, tier: y}}}", `{"f:spec":{"f:selector":{}}}`, nil},
		"atomic list":        {"{spec: {args: [a, b]}}", `{"f:spec":{"f:args":{}}}`, nil},
		"atomic list taken":  {"{spec: {args: [a, b], x: 1}}", `{"f:spec":{"f:x":{}}}`, []string{".spec.args"}},
		"empty map":          {"{spec: {}}", `{"f:spec":{}}`, nil},
		"empty list-map":     {"{spec: {x: 1, volumes: []}}", `{"f:spec":{"f:x":{}}}`, nil},
		"list-map by key": {"{c: [{name: b, image: i}, {name: a, image: j}]}",
			`{"f:c":{"k:{\"name\":\"a\"}":{".":{},"f:name":{},"f:image":{}},"k:{\"name\":\"b\"}":{".":{},"f:name":{}}}}`,
			[]string{`.c[name="b"].image`}},
		"key with a default": {"{ports: [{port: 80}, {port: 81, protocol: UDP}]}",
			`{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}},"k:{\"port\":81,\"protocol\":\"UDP\"}":{".":{},"f:port":{},"f:protocol":{}}}}`,
			nil},
		"item taken": {"{ports: [{port: 80}, {port: 81}]}",
			`{"f:ports":{"k:{\"port\":80}":{".":{},"f:port":{}}}}`, []string{".ports[1]"}},
		"set":            {"{finalizers: [p, q]}", `{"f:finalizers":{"v:\"p\"":{},"v:\"q\"":{}}}`, nil},
		"set, taken":     {"{finalizers: [p, q]}", `{"f:finalizers":{"v:\"p\"":{}}}`, []string{".finalizers[1]"}},
		"by index":       {"{l: [{a: 1}, {a: 2}]}", `{"f:l":{"i:0":{"f:a":{}},"i:1":{"f:a":{}}}}`, nil},
		"nothing ours":   {"{data: {k: v}}", `{}`, []string{".data"}},
		"foreign beside": {"{data: {k: v}}", `{"f:data":{"f:k":{},"f:other":{}}}`, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := Lost(fromYAML(t, c.applied), fromYAML(t, c.fields))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("lost fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIsScaled(t *testing.T) {
	live := func(subresource string) map[string]any {
		return fromYAML(t, `{metadata: {managedFields: [{manager: hpa, operation: Update, subresource: "`+subresource+
			`", fieldsV1: {"f:spec": {"f:replicas": {}}}}]}}`)
	}
	if !IsScaled(live("scale")) {
		t.Error("an entry of the scale subresource is not seen")
	}
	if IsScaled(live("")) {
		t.Error("an ordinary writer of replicas is taken for a scaler")
	}
}
