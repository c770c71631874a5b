package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph/source"
	"github.com/plait-run/plait/mounts"
)

// mountable is the JSON form of whether Workspaces can be mounted on the instances of a group.
type mountable struct {
	File       string `json:"file"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Mountable  bool   `json:"mountable"`
	Why        string `json:"why"` // it is not; empty: it is
}

// mountables gives one for each group that compiles, in the order of the documents.
func mountables(set *offline.Set) []mountable {
	out := []mountable{}
	for _, group := range set.Groups {
		if group.Graph == nil {
			continue
		}
		m := mountable{File: group.Source.File, APIVersion: group.Graph.Kind().GroupVersion().String(), Kind: group.Graph.Kind().Kind}
		m.Mountable, m.Why = mounts.Mountable(group.Graph)
		out = append(out, m)
	}
	return out
}

// validationData is what validate prints as data.
func validationData(set *offline.Set) map[string]any {
	data := diagnosticsData(set.Problems)
	data["mounts"] = mountables(set)
	return data
}

// tellMountable says it in words. Nothing is wrong with a kind that cannot be mounted: that is told only where somebody
// means it to be, by a Workspace in the files or a field for the URL.
func tellMountable(out io.Writer, set *offline.Set) {
	for _, m := range mountables(set) {
		if m.Mountable {
			fmt.Fprintf(out, "%s can be mounted by a Workspace\n", m.Kind)
			continue
		}
		if m.Why != mounts.NoURL || isMounted(set, m) {
			fmt.Fprintf(out, "%s cannot be mounted by a Workspace: %s\n", m.Kind, m.Why)
		}
	}
}

// isMounted tells whether a Workspace of the set refers to the kind.
func isMounted(set *offline.Set, m mountable) bool {
	return slices.ContainsFunc(set.Others, func(doc *source.Document) bool {
		ref := doc.Root.Get("spec").Get("mount").Get("ref")
		return doc.Kind == "Workspace" && ref.Get("apiVersion").Text() == m.APIVersion && ref.Get("kind").Text() == m.Kind
	})
}
