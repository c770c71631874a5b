package compile

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gobuffalo/flect"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/plait-run/plait/graph/diag"
	graphschema "github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/simpleschema"
	"github.com/plait-run/plait/graph/source"
)

// defaultGroup is the API group of kinds whose author named none; ownGroup is Plait's and serves nothing else.
const (
	defaultGroup = "apps.plait.run"
	ownGroup     = "plait.run"
)

// api is what the group serves.
type api struct {
	gvk        schema.GroupVersionKind
	gvr        schema.GroupVersionResource
	namespaced bool
}

var (
	versionPattern = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)
	kindPattern    = regexp.MustCompile(`^[A-Z][A-Za-z0-9]{0,62}$`)
)

// buildInstanceSchema reads spec.schema: the names of the API, and the type of `schema` in expressions.
func buildInstanceSchema(s *state) {
	src := s.group.Schema
	if src.Value == nil {
		return
	}
	s.api = s.names(src)
	inputs, problems := simpleschema.Build(simpleschema.Input{
		File: s.group.File, Spec: src.Spec, Types: src.Types, Validations: src.Validations,
	})
	s.problems.Append(problems)
	s.inputs = inputs
	s.instance = s.instanceType()
}

// names checks what the API server will check of names, each at its own field.
func (s *state) names(src source.Schema) api {
	version, kind := src.APIVersion.Text(), src.Kind.Text()
	group, plural := textOr(src.Group, defaultGroup), ""
	if kind != "" {
		plural = textOr(src.Plural, flect.Pluralize(strings.ToLower(kind)))
	}
	if src.APIVersion != nil && !versionPattern.MatchString(version) {
		s.report(diag.APIName, src.APIVersion, fmt.Sprintf("the version %q is none that an API can have", version), "Write v1, v1beta1 or v1alpha1.")
	}
	if src.Kind != nil && !kindPattern.MatchString(kind) {
		s.report(diag.APIName, src.Kind, fmt.Sprintf("the kind %q is none that an API can have", kind), "Start with a capital and use at most 63 letters and digits: WebApp.")
	}
	s.checkGroup(src.Group, group)
	if faults := validation.IsDNS1035Label(plural); src.Plural != nil && len(faults) > 0 {
		s.report(diag.APIName, src.Plural, fmt.Sprintf("the plural %q is none that an API can have: %s", plural, faults[0]), "")
	}
	return api{
		gvk:        schema.GroupVersionKind{Group: group, Version: version, Kind: kind},
		gvr:        schema.GroupVersionResource{Group: group, Version: version, Resource: plural},
		namespaced: textOr(src.Scope, "Namespaced") != "Cluster",
	}
}

func (s *state) checkGroup(at *source.Value, group string) {
	if at == nil {
		return
	}
	switch faults := validation.IsDNS1123Subdomain(group); {
	case len(faults) > 0:
		s.report(diag.APIName, at, fmt.Sprintf("the group %q is no DNS name", group), "Write a name such as apps.example.com.")
	case group == ownGroup:
		s.report(diag.APIName, at, "the group plait.run is reserved for Plait itself", "Use apps.plait.run or a group of your own.")
	case !strings.Contains(group, "."):
		s.report(diag.APIName, at, fmt.Sprintf("the group %q has no domain", group), "Write a name such as apps.example.com.")
	case strings.HasSuffix(group, ".k8s.io") || strings.HasSuffix(group, ".kubernetes.io"):
		s.report(diag.APIName, at, fmt.Sprintf("the group %q belongs to Kubernetes itself", group), "Use a group of your own.")
	}
}

func textOr(v *source.Value, otherwise string) string {
	if v == nil {
		return otherwise
	}
	return v.Text()
}

// instanceCRD is a stand-in with the author's inputs and nothing else, to ask for types and to hold literals against.
func (s *state) instanceCRD() *apiextensionsv1.CustomResourceDefinition {
	scope := apiextensionsv1.ClusterScoped
	if s.api.namespaced {
		scope = apiextensionsv1.NamespaceScoped
	}
	root := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	if s.inputs.Schema != nil {
		root.Properties["spec"] = *s.inputs.Schema
	}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: s.api.gvr.Resource + "." + s.api.gvr.Group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: s.api.gvk.Group,
			Scope: scope,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: s.api.gvk.Kind, Plural: s.api.gvr.Resource},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: s.api.gvk.Version, Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: root},
			}},
		},
	}
}

// instanceKind is what a resolver would say of the served kind.
func (s *state) instanceKind() *graphschema.Kind {
	kind, ok, err := graphschema.FromCRDs(s.instanceCRD()).Resolve(s.api.gvk)
	if err != nil || !ok {
		return nil
	}
	return kind
}
