package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/api/config"
	"github.com/plait-run/plait/cmd/plait/engine/policy"
)

// addDefinitions gives the chart Plait's own definitions.
func addDefinitions(_ string, files map[string][]byte) error {
	for _, crd := range config.CRDs() {
		files[filepath.Join("deploy/chart/files/crds", crd.Name)] = crd.YAML
	}
	return nil
}

// addPolicies gives the chart the admission policies, for an engine that requires service accounts and for one that has a
// default.
func addPolicies(_ string, files map[string][]byte) error {
	for name, required := range map[string]bool{"required": true, "optional": false} {
		var out bytes.Buffer
		for _, p := range policy.All(required) {
			if err := errors.Join(write(&out, p), write(&out, policy.Binding(p.Name))); err != nil {
				return fmt.Errorf("writing the admission policy %q: %w", p.Name, err)
			}
		}
		files["deploy/chart/files/policies-"+name+".yaml"] = out.Bytes()
	}
	return nil
}

// write adds an object as a YAML document.
func write(out *bytes.Buffer, object any) error {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return err
	}
	delete(content, "status")
	text, err := yaml.Marshal(content)
	if err != nil {
		return err
	}
	out.WriteString("---\n")
	out.Write(text)
	return nil
}

// rolesOfTheEngine is the block of docs/service-accounts.md that tells what the engine may do.
var rolesOfTheEngine = regexp.MustCompile("(?s)<!-- engine roles: applied by a test -->\n```yaml\n(.*?)```")

// addRoles gives the chart the roles that the document explains.
func addRoles(root string, files map[string][]byte) error {
	document, err := os.ReadFile(filepath.Join(root, "docs", "service-accounts.md"))
	if err != nil {
		return fmt.Errorf("reading the engine's roles: %w", err)
	}
	block := rolesOfTheEngine.FindSubmatch(document)
	if block == nil {
		return errors.New("reading the engine's roles: docs/service-accounts.md shows none")
	}
	files["deploy/chart/files/engine-roles.yaml"] = block[1]
	return nil
}
