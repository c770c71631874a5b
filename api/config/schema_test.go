package config_test

import (
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/api/config"
)

// object is a decoded document.
type object = map[string]any

// server does to documents of one kind what an API server does on a write: prune, default,
// validate against the schema, and evaluate the rules.
type server struct {
	structural *structuralschema.Structural
	schema     validation.SchemaValidator
	rules      *schemacel.Validator
}

// newServer takes the schema of the generated CRD of a plural.
func newServer(t testing.TB, plural string) *server {
	t.Helper()
	crd := internalCRD(t, plural)
	props := crd.Spec.Versions[0].Schema
	if props == nil {
		props = crd.Spec.Validation
	}
	structural, err := structuralschema.NewStructural(props.OpenAPIV3Schema)
	if err != nil {
		t.Fatalf("making the schema of %s structural: %v", plural, err)
	}
	validator, _, err := validation.NewSchemaValidator(props.OpenAPIV3Schema)
	if err != nil {
		t.Fatalf("making the validator of %s: %v", plural, err)
	}
	return &server{
		structural: structural,
		schema:     validator,
		rules:      schemacel.NewValidator(structural, true, cel.PerCallLimit),
	}
}

// create admits a document; what is stored is in the document afterwards.
func (s *server) create(t testing.TB, doc object) field.ErrorList {
	t.Helper()
	s.admit(doc)
	errs := validation.ValidateCustomResource(nil, doc, s.schema)
	return append(errs, s.evaluate(t, doc, nil)...)
}

// update admits a document in place of a stored one.
func (s *server) update(t testing.TB, doc, old object) field.ErrorList {
	t.Helper()
	s.admit(doc)
	errs := validation.ValidateCustomResourceUpdate(nil, doc, old, s.schema)
	return append(errs, s.evaluate(t, doc, old)...)
}

func (s *server) admit(doc object) {
	pruning.Prune(doc, s.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(doc, s.structural)
	defaulting.Default(doc, s.structural)
}

func (s *server) evaluate(t testing.TB, doc, old object) field.ErrorList {
	t.Helper()
	var before any
	if old != nil {
		before = old
	}
	errs, _ := s.rules.Validate(t.Context(), nil, s.structural, doc, before, cel.RuntimeCELCostBudget)
	return errs
}

// internalCRD decodes, defaults and converts the generated CRD of a plural.
func internalCRD(t testing.TB, plural string) *apiextensions.CustomResourceDefinition {
	t.Helper()
	crd := decodeCRD(t, plural)
	apiextensionsv1.SetDefaults_CustomResourceDefinition(crd)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&crd.Spec)
	crd.Status.StoredVersions = []string{"v1alpha1"}
	internal := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(crd, internal, nil); err != nil {
		t.Fatalf("converting the CRD of %s: %v", plural, err)
	}
	return internal
}

// decodeCRD finds the generated CRD of a plural.
func decodeCRD(t testing.TB, plural string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	want := "plait.run_" + plural + ".yaml"
	for _, file := range config.CRDs() {
		if file.Name != want {
			continue
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(file.YAML, crd); err != nil {
			t.Fatalf("decoding %s: %v", file.Name, err)
		}
		return crd
	}
	t.Fatalf("no file %s among the generated CRDs", want)
	return nil
}

// parse decodes a document of a test as an API server does: whole numbers are int64.
func parse(t testing.TB, doc string) object {
	t.Helper()
	text, err := yaml.YAMLToJSON([]byte(doc))
	if err != nil {
		t.Fatalf("reading a test document: %v\n%s", err, doc)
	}
	out := object{}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("decoding a test document: %v\n%s", err, doc)
	}
	return out
}
