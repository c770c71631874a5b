// Package examples runs every example on a real API server with controllers and simulated pods: up as its README says,
// changed, broken, mended, deleted, and nothing left.
package examples

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/cmd/plait/convert"
	"github.com/plait-run/plait/test/world"
)

func TestExamples(t *testing.T) {
	w := world.New(t, cluster.Config{ControllerManager: true, Pods: true})
	w.RunEngine(t)
	for _, ex := range all {
		t.Run(ex.folder, func(t *testing.T) { ex.run(t, person{w, t}) })
	}
}

func (ex example) run(t *testing.T, p person) {
	existing := p.everything()
	before := p.read(ex.folder, "before.yaml")
	p.apply(before)
	var groups []*unstructured.Unstructured
	for _, folder := range append(ex.needs, ex.folder) {
		groups = append(groups, p.serve(folder)...)
	}
	instances := p.read(ex.folder, "instance.yaml")
	p.apply(instances)
	p.active(instances)
	p.holds(expected(t, ex.folder))

	spec, _ := instances[0].Object["spec"].(map[string]any)
	ex.change(spec)
	p.apply(instances)
	if ex.act != nil {
		ex.act(p)
	}
	p.active(instances)
	p.holds(ex.want)
	for _, name := range ex.gone {
		p.waitGone(named(t, name))
	}

	good := instances[0].DeepCopy()
	ex.spoil(spec)
	p.apply(instances[:1])
	p.waitFor(instances[0], ex.isSpoiled)
	instances[0] = good
	p.apply(instances)
	p.active(instances)

	p.remove(instances)
	for _, name := range ex.stays {
		p.remove([]*unstructured.Unstructured{named(t, name)})
	}
	p.remove(groups)
	p.remove(before)
	p.nothingBut(existing)
}

// TestEveryExampleIsRun has every folder run by a test, and told of in the list of examples.
func TestEveryExampleIsRun(t *testing.T) {
	list, err := os.ReadFile(inExamples("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var tested, found []string
	for _, ex := range append(slices.Clone(all), provided...) {
		tested = append(tested, ex.folder)
	}
	slices.Sort(tested)
	for _, pattern := range []string{"*/instance.yaml", "*/*/instance.yaml"} {
		files, err := fs.Glob(os.DirFS(inExamples()), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			found = append(found, path.Dir(file))
		}
	}
	slices.Sort(found)
	for _, folder := range found {
		if !bytes.Contains(list, []byte("| ["+folder+"]("+folder+"/) |")) {
			t.Errorf("examples/README.md does not list %s", folder)
		}
	}
	if diff := cmp.Diff(found, tested); diff != "" {
		t.Errorf("folders and tests (-folders +tests):\n%s", diff)
	}
}

// TestConvertedExampleIsFresh has the converted group be what plait convert writes.
func TestConvertedExampleIsFresh(t *testing.T) {
	definition, err := os.ReadFile(inExamples("from-kro", "rgd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	documents, err := convert.Convert("rgd.yaml", definition)
	if err != nil || len(documents) != 1 {
		t.Fatalf("%d documents, %v", len(documents), err)
	}
	got, err := documents[0].YAML()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(inExamples("from-kro", "group.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("write it anew with plait convert (-file +converted):\n%s", diff)
	}
}

func inExamples(elements ...string) string {
	return world.InTree(append([]string{"examples"}, elements...)...)
}
