package drain

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"

	"github.com/plait-run/plait/api/v1alpha1"
)

// place is where objects with our finalizers may be.
type place struct {
	resource  schema.GroupVersionResource
	namespace string // empty: all
}

func (p place) in(client metadata.Interface) metadata.ResourceInterface {
	return client.Resource(p.resource).Namespace(p.namespace)
}

// places gives the kinds of groups and of bound APIs first, then Plait's own, and the Secrets of Connections: whoever
// interrupts leaves no instance behind whose group is gone.
func (d *drainer) places(definitions []apiextensionsv1.CustomResourceDefinition) []place {
	out := placesOf(definitions)
	if d.options.SecretsNamespace != "" {
		out = append(out, place{schema.GroupVersionResource{Version: "v1", Resource: "secrets"}, d.options.SecretsNamespace})
	}
	return out
}

// placesOf chooses the definitions that Plait made or is.
func placesOf(definitions []apiextensionsv1.CustomResourceDefinition) []place {
	var made, own []place
	for _, crd := range definitions {
		p := place{resource: schema.GroupVersionResource{Group: crd.Spec.Group, Version: servedVersion(crd), Resource: crd.Spec.Names.Plural}}
		_, isServed := crd.Labels[v1alpha1.LabelResourceGroupUID]
		switch {
		case p.resource.Version == "":
		case crd.Spec.Group == v1alpha1.GroupVersion.Group:
			own = append(own, p)
		case isServed || crd.Labels[v1alpha1.LabelManaged] == v1alpha1.True:
			made = append(made, p)
		}
	}
	byName := func(a, b place) int { return strings.Compare(a.resource.String(), b.resource.String()) }
	slices.SortFunc(made, byName)
	slices.SortFunc(own, byName)
	return append(made, own...)
}

func servedVersion(crd apiextensionsv1.CustomResourceDefinition) string {
	for _, v := range crd.Spec.Versions {
		if v.Served {
			return v.Name
		}
	}
	return ""
}
