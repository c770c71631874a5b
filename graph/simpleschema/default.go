package simpleschema

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/plait-run/plait/graph/diag"
)

// structural gives the API server's form of a schema; nil when it has none, which the check of the whole
// definition explains.
func structural(s *apiextensionsv1.JSONSchemaProps) *structuralschema.Structural {
	var internal apiextensions.JSONSchemaProps
	if apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(s.DeepCopy(), &internal, nil) != nil {
		return nil
	}
	out, err := structuralschema.NewStructural(&internal)
	if err != nil {
		return nil
	}
	return out
}

// checkDefault holds a default to its own schema, rules aside, with the API server's code.
func checkDefault(s *apiextensionsv1.JSONSchemaProps) *fault {
	plain := s.DeepCopy()
	dropRules(plain)
	errs := faultsOfDefault(plain)
	if len(errs) == 0 {
		return nil
	}
	where := strings.TrimPrefix(errs[0].Field, "field.default")
	if where != "" {
		where = " at " + strings.TrimPrefix(where, ".")
	}
	return &fault{code: diag.SchemaDefault, summary: "the default breaks the rules of its own field" + where + ": " + errs[0].ErrorBody()}
}

// holdsDefault tells whether a default holds to its own schema, rules included.
func holdsDefault(s *apiextensionsv1.JSONSchemaProps) bool { return len(faultsOfDefault(s)) == 0 }

// faultsOfDefault looks at sets and map lists too, which the API server does only once an instance takes the default.
func faultsOfDefault(s *apiextensionsv1.JSONSchemaProps) field.ErrorList {
	structural := structural(s)
	if structural == nil {
		return nil
	}
	root := field.NewPath("field")
	errs, err := defaulting.ValidateDefaults(context.Background(), root, structural, false, true)
	if err != nil {
		return nil // only for metadata, which no schema of ours describes
	}
	holder := &structuralschema.Structural{Properties: map[string]structuralschema.Structural{"default": *structural}}
	twice := listtype.ValidateListSetsAndMaps(root, holder, map[string]any{"default": structural.Default.Object})
	slices.SortFunc(twice, func(a, b *field.Error) int { return strings.Compare(a.Field, b.Field) })
	return append(errs, twice...)
}

// filledDefault is an empty object with all defaults filled in; nil when the schema has no structural form.
func filledDefault(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSON {
	structural := structural(s)
	if structural == nil {
		return nil
	}
	object := map[string]any{}
	defaulting.Default(object, structural)
	raw, err := encode(object)
	if err != nil {
		return nil
	}
	return &apiextensionsv1.JSON{Raw: raw}
}

// dropRules takes the validations out of a schema and all below.
func dropRules(s *apiextensionsv1.JSONSchemaProps) {
	s.XValidations = nil
	for name, property := range s.Properties {
		dropRules(&property)
		s.Properties[name] = property
	}
	if s.Items != nil && s.Items.Schema != nil {
		dropRules(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		dropRules(s.AdditionalProperties.Schema)
	}
}
