// Command helmtemplate renders a chart with Helm's own engine, as `helm template` does, and prints the objects by the names of
// their templates. The kustomization is made with it, and the tests of the chart render with it. It is a module of its
// own, so that Plait's does not need Helm.
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"sigs.k8s.io/yaml"
)

func main() {
	chart := flag.String("chart", "deploy/chart", "folder of the chart")
	namespace := flag.String("namespace", "plait-system", "namespace of the release")
	only := flag.String("only", "", "templates to print, with commas between; all when empty")
	flag.Parse()
	if err := render(*chart, *namespace, strings.Split(*only, ",")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// render prints what the chart gives with the values on stdin, which may be empty.
func render(folder, namespace string, only []string) error {
	chart, err := loader.Load(folder)
	if err != nil {
		return fmt.Errorf("loading the chart %q: %w", folder, err)
	}
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		return fmt.Errorf("reading values: %w", err)
	}
	values := map[string]any{}
	if err := yaml.Unmarshal(data, &values); err != nil {
		return fmt.Errorf("reading values: %w", err)
	}
	release := common.ReleaseOptions{Name: "plait", Namespace: namespace, Revision: 1, IsInstall: true}
	all, err := util.ToRenderValues(chart, values, release, common.DefaultCapabilities)
	if err != nil {
		return fmt.Errorf("checking values: %w", err)
	}
	files, err := engine.Render(chart, all)
	if err != nil {
		return fmt.Errorf("rendering: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		template := name[strings.LastIndexByte(name, '/')+1:]
		wanted := only[0] == "" || slices.Contains(only, template)
		if wanted && strings.HasSuffix(name, ".yaml") && strings.TrimSpace(files[name]) != "" {
			fmt.Printf("---\n%s\n", strings.Trim(strings.TrimPrefix(strings.TrimSpace(files[name]), "---"), "\n"))
		}
	}
	return nil
}
