package offline

import (
	"fmt"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/api/config"
	"github.com/plait-run/plait/graph/schema"
)

// ownKinds knows Plait's own kinds, which are installed wherever a group is served.
type ownKinds struct{}

// Resolve reads the definitions when one of their kinds is asked for.
func (ownKinds) Resolve(gvk runtimeschema.GroupVersionKind) (*schema.Kind, bool, error) {
	if gvk.Group != "plait.run" {
		return nil, false, nil
	}
	kinds, err := ownDefinitions()
	if err != nil {
		return nil, false, err
	}
	return kinds.Resolve(gvk)
}

// KindNames gives those of a version of plait.run.
func (ownKinds) KindNames(gv runtimeschema.GroupVersion) []string {
	if gv.Group != "plait.run" {
		return nil
	}
	kinds, err := ownDefinitions()
	if err != nil {
		return nil
	}
	return schema.KindNames(kinds, gv)
}

var ownDefinitions = sync.OnceValues(func() (schema.Resolver, error) {
	var out []*apiextensionsv1.CustomResourceDefinition
	for _, file := range config.CRDs() {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(file.YAML, crd); err != nil {
			return nil, fmt.Errorf("reading %q: %w", file.Name, err)
		}
		out = append(out, crd)
	}
	return schema.FromCRDs(out...), nil
})
