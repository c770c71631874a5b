package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const lamps = `{
"openapi": "3.0.0",
"info": {"title": "Kubernetes"},
"paths": {
  "/apis/light/v1/": {"get": {"tags": ["light"]}},
  "/apis/light/v1/lamps": {"get": {"x-kubernetes-group-version-kind": {"group": "light", "version": "v1", "kind": "Lamp"}}},
  "/apis/light/v1/lamps/{name}": {
    "parameters": [{"name": "name"}],
    "delete": {"x-kubernetes-group-version-kind": {"group": "light", "version": "v1", "kind": "Lamp"}},
    "get": {"description": "read", "x-kubernetes-group-version-kind": {"group": "light", "version": "v1", "kind": "Lamp"}}
  },
  "/apis/light/v1/lamps/{name}/scale": {"get": {"x-kubernetes-group-version-kind": {"group": "autoscaling", "version": "v1", "kind": "Scale"}}},
  "/apis/light/v1/lamps/{name}/proxy": {"get": {"x-kubernetes-group-version-kind": {"group": "light", "version": "v1", "kind": "Proxy"}}},
  "/apis/light/v1/watch/lamps/{name}": {"get": {"x-kubernetes-group-version-kind": {"group": "light", "version": "v1", "kind": "Lamp"}}}
},
"components": {"schemas": {
  "Lamp": {
    "description": "A lamp.", "type": "object",
    "x-kubernetes-group-version-kind": [{"group": "light", "version": "v1", "kind": "Lamp"}],
    "properties": {
      "description": {"description": "of the lamp", "type": "string"},
      "bulb": {"allOf": [{"$ref": "#/components/schemas/Bulb"}], "default": {}}
    }
  },
  "Bulb": {"properties": {"next": {"$ref": "#/components/schemas/Bulb"}}},
  "LampList": {"x-kubernetes-group-version-kind": [{"group": "light", "version": "v1", "kind": "LampList"}]},
  "Unused": {}
}}}`

const wantLamps = `{
"openapi": "3.0.0",
"paths": {
  "/apis/light/v1/lamps/{name}": {"get": {"x-kubernetes-group-version-kind": {"group": "light", "version": "v1", "kind": "Lamp"}}},
  "/apis/light/v1/lamps/{name}/scale": {"get": {"x-kubernetes-group-version-kind": {"group": "autoscaling", "version": "v1", "kind": "Scale"}}}
},
"components": {"schemas": {
  "Lamp": {
    "type": "object",
    "x-kubernetes-group-version-kind": [{"group": "light", "version": "v1", "kind": "Lamp"}],
    "properties": {
      "description": {"type": "string"},
      "bulb": {"allOf": [{"$ref": "#/components/schemas/Bulb"}], "default": {}}
    }
  },
  "Bulb": {"properties": {"next": {"$ref": "#/components/schemas/Bulb"}}}
}}}`

func TestCutKeepsWhatKindsReach(t *testing.T) {
	got, err := cut("apis/light/v1", []byte(lamps))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decode(t, []byte(wantLamps)), decode(t, got)); diff != "" {
		t.Errorf("document differs (-want +got):\n%s", diff)
	}
}

func TestCutAllLeavesOutDocumentsWithoutKinds(t *testing.T) {
	got, err := cutAll(map[string][]byte{"apis/light/v1": []byte(lamps), "apis/reviews/v1": []byte(`{"paths": {"/x": {}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	if _, kept := got["apis/light/v1"]; !kept || len(got) != 1 {
		t.Errorf("kept %d documents, want only apis/light/v1", len(got))
	}
	if _, err := cutAll(map[string][]byte{"apis/broken/v1": []byte(`{`)}); err == nil {
		t.Error("a broken document gives no error")
	}
}

func TestPackIsStable(t *testing.T) {
	documents := map[string][]byte{"apis/b/v1": []byte(`{"b": 1}`), "api/v1": []byte(`{"a": 1}`)}
	first, err := pack(documents)
	if err != nil {
		t.Fatal(err)
	}
	second, err := pack(documents)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("the same documents give different bytes")
	}
	r, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range r.File {
		got[f.Name] = content(t, f)
	}
	want := map[string]string{"api/v1.json": `{"a": 1}`, "apis/b/v1.json": `{"b": 1}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files differ (-want +got):\n%s", diff)
	}
}

func TestFromFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"api__v1_openapi.json", "apis__apps__v1_openapi.json", "apis_openapi.json", "version_openapi.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := fromFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{"api/v1": []byte("api__v1_openapi.json"), "apis/apps/v1": []byte("apis__apps__v1_openapi.json")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("documents differ (-want +got):\n%s", diff)
	}
	if _, err := fromFolder(t.TempDir()); err == nil {
		t.Error("an empty folder gives no error")
	}
}

func TestReadAll(t *testing.T) {
	answers := map[string]string{
		"/openapi/v3":               `{"paths": {"api": {"serverRelativeURL": "/no"}, "api/v1": {"serverRelativeURL": "/openapi/v3/api/v1?hash=a"}, "version": {}}}`,
		"/openapi/v3/api/v1?hash=a": `core`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.URL.RequestURI()]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if _, err := io.WriteString(w, answer); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	got, err := readAll(t.Context(), server.Client(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]byte{"api/v1": []byte("core")}, got); diff != "" {
		t.Errorf("documents differ (-want +got):\n%s", diff)
	}
	if _, err := get(t.Context(), server.Client(), server.URL+"/missing"); err == nil {
		t.Error("a missing document gives no error")
	}
}

func decode(t *testing.T, raw []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func content(t *testing.T, f *zip.File) string {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return string(b)
}
