package schema

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// archive holds one OpenAPI v3 document for each group and version that an API server serves, cut to kinds, as
// apis/apps/v1.json. It is written by internal/genopenapi.
//
//go:embed openapi.zip
var archive []byte

// Embedded answers for the built-in kinds of the Kubernetes version that this module is built with. All callers share
// one library; a group and version is read when the first of its kinds is asked for.
func Embedded() Resolver { return embedded() }

var embedded = sync.OnceValue(func() *library { return newLibrary(archive) })

// library is an archive of OpenAPI documents, each read at its first use.
type library struct {
	documents map[schema.GroupVersion]func() (*OpenAPI, error)
	err       error // the archive cannot be read
}

func newLibrary(archive []byte) *library {
	l := &library{documents: map[schema.GroupVersion]func() (*OpenAPI, error){}}
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		l.err = fmt.Errorf("reading the embedded kinds: %w", err)
		return l
	}
	for _, f := range r.File {
		gv := groupVersionOf(f.Name)
		l.documents[gv] = sync.OnceValues(func() (*OpenAPI, error) { return openDocument(gv, f) })
	}
	return l
}

func (l *library) Resolve(gvk schema.GroupVersionKind) (*Kind, bool, error) {
	document, ok := l.documents[gvk.GroupVersion()]
	if !ok || l.err != nil {
		return nil, false, l.err
	}
	o, err := document()
	if err != nil {
		return nil, false, err
	}
	return o.Resolve(gvk)
}

// groupVersionOf reads the name of a file of the archive: api/v1.json, apis/apps/v1.json.
func groupVersionOf(file string) schema.GroupVersion {
	parts := strings.Split(strings.TrimSuffix(file, ".json"), "/")
	if len(parts) == 3 {
		return schema.GroupVersion{Group: parts[1], Version: parts[2]}
	}
	return schema.GroupVersion{Version: parts[len(parts)-1]}
}

func openDocument(gv schema.GroupVersion, f *zip.File) (o *OpenAPI, err error) {
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("reading the embedded kinds of %q: %w", gv, err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	document, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading the embedded kinds of %q: %w", gv, err)
	}
	return FromOpenAPI(gv, document)
}
