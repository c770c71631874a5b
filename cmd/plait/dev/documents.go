package dev

import (
	"context"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/examples"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// documents are what a run applies.
type documents struct {
	groups    []*unstructured.Unstructured
	others    []*unstructured.Unstructured // CRDs, namespaces, …: applied with the groups
	instances []*unstructured.Unstructured // of the groups
}

// readDocuments reads files, or the example when there are none. What `plait validate` calls an error is told before a cluster
// is started for it, with its line.
func readDocuments(ctx context.Context, options Options) (documents, error) {
	if len(options.Files) > 0 {
		docs, problems, err := offline.Read(options.Files, os.Stdin)
		if err != nil {
			return documents{}, err
		}
		set, err := offline.Load(ctx, docs, nil)
		if err != nil {
			return documents{}, err
		}
		set.CheckInstances(ctx)
		problems.Append(set.Problems)
		if problems.HasErrors() {
			return documents{}, NotReadyError{text(problems)}
		}
		return sortDocuments(docs), nil
	}
	example := "webapp"
	if options.Provider {
		example = "provided-database"
	}
	var docs []*source.Document
	for _, name := range []string{example + "/group.yaml", example + "/instance.yaml"} {
		data, err := examples.Files.ReadFile(name)
		if err != nil {
			return documents{}, fmt.Errorf("reading the example %q: %w", name, err)
		}
		found, _ := source.Parse(name, data)
		docs = append(docs, found...)
	}
	return sortDocuments(docs), nil
}

func text(problems diag.List) string {
	var lines []string
	for _, d := range problems.Sorted() {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

func sortDocuments(docs []*source.Document) documents {
	var out documents
	served := map[string]bool{}
	for _, doc := range docs {
		if doc.Kind == "ResourceGroup" && strings.HasPrefix(doc.APIVersion, "plait.run/") {
			out.groups = append(out.groups, object(doc))
			served[doc.Root.Get("spec").Get("schema").Get("kind").Text()] = true
		}
	}
	for _, doc := range docs {
		switch {
		case doc.Kind == "ResourceGroup" && strings.HasPrefix(doc.APIVersion, "plait.run/"):
		case served[doc.Kind]:
			out.instances = append(out.instances, object(doc))
		default:
			out.others = append(out.others, object(doc))
		}
	}
	return out
}

func object(doc *source.Document) *unstructured.Unstructured {
	plain, _ := doc.Root.Plain().(map[string]any)
	return &unstructured.Unstructured{Object: plain}
}
