// Package config carries the CustomResourceDefinitions of Plait's own kinds inside the
// program, so that the engine can install and check them without any file.
//
// The files under crd are generated from api/v1alpha1 and never edited. The package parses
// nothing and talks to nobody.
package config

import (
	"embed"
	"io/fs"
	"path"
)

//go:embed crd/*.yaml
var files embed.FS

const dir = "crd"

// A File is one generated CustomResourceDefinition.
type File struct {
	// Name is the file's name, such as plait.run_workspaces.yaml.
	Name string
	// YAML is one document: a CustomResourceDefinition of apiextensions.k8s.io/v1.
	YAML []byte
}

// CRDs returns the CustomResourceDefinitions of all kinds of package v1alpha1, sorted by
// file name. The caller may keep and change what it gets.
func CRDs() []File {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		panic(err) // the directory is part of the binary, or this does not compile
	}
	crds := make([]File, 0, len(entries))
	for _, entry := range entries {
		content, err := files.ReadFile(path.Join(dir, entry.Name()))
		if err != nil {
			panic(err)
		}
		crds = append(crds, File{Name: entry.Name(), YAML: content})
	}
	return crds
}
