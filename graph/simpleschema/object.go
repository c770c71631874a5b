package simpleschema

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiserver/pkg/cel"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// validationsKey holds the rules of a nested struct.
const validationsKey = "$validations"

// object builds a struct of a map.
func (b *builder) object(v *source.Value) *typ {
	t := &typ{
		shape: structShape, size: 1, places: map[string]*source.Value{"": v},
		schema: &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{}},
	}
	var immutable []source.Field
	hasDefault, needsInput := false, false
	for _, f := range v.Fields {
		if f.Key == validationsKey || !b.isFieldName(f) {
			continue
		}
		child := b.value(f.Value)
		t.adopt(f.Key, child)
		hasDefault = hasDefault || child.schema.Default != nil
		needsInput = needsInput || child.required && child.schema.Default == nil
		if child.immutable && !child.isBroken {
			immutable = append(immutable, f)
		}
	}
	t.cascades = hasDefault && !needsInput
	b.nestedRules(t, v.Get(validationsKey))
	for _, f := range immutable {
		b.addImmutable(t, f)
	}
	if t.isBroken {
		t.schema.XValidations = nil // they may use the field whose type is not known
	}
	t.setDefault()
	return t
}

// setDefault gives a struct the default that lets the defaults of its fields cascade. The API server holds a
// default to its schema before it fills in those of the fields, so with required fields or rules of the author
// they are written out (immutable is true of any default); a struct that breaks its own rules when nothing is
// set gets none.
func (t *typ) setDefault() {
	if !t.cascades {
		return
	}
	t.schema.Default = &apiextensionsv1.JSON{Raw: []byte("{}")}
	if t.authored == 0 && len(t.schema.Required) == 0 {
		return
	}
	t.schema.Default = filledDefault(t.schema)
	if t.schema.Default != nil && !holdsDefault(t.schema) {
		t.schema.Default = nil
	}
}

// adopt makes a type a field of a struct.
func (t *typ) adopt(name string, child *typ) {
	if child.required {
		t.schema.Required = append(t.schema.Required, name)
		if child.cascades {
			child.schema.Default = nil // whoever makes a struct required wants it to be written
		}
	}
	t.schema.Properties[name] = *child.schema
	t.isBroken = t.isBroken || child.isBroken
	t.size += child.size
	t.columns = append(t.columns, child.inField(name)...)
	maps.Copy(t.places, prefixed("properties["+name+"]", child.places))
}

func (b *builder) isFieldName(f source.Field) bool {
	summary, suggestion := "", ""
	switch {
	case f.Key == "":
		summary = "a field has no name"
	case strings.HasPrefix(f.Key, "$"):
		summary, suggestion = "a name of a field cannot start with $", diag.DidYouMean(f.Key, []string{validationsKey})
	case slices.ContainsFunc([]rune(f.Key), func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }):
		summary = "a name of a field cannot hold spaces or control characters"
	default:
		return true
	}
	b.problems.Add(diag.Diagnostic{
		File: b.file, Path: f.Value.Path, Position: f.KeyPosition, Code: diag.SchemaInvalid, Summary: summary, Suggestion: suggestion,
	})
	return false
}

// nestedRules adds the rules of $validations, whose form nobody has checked yet.
func (b *builder) nestedRules(t *typ, list *source.Value) {
	if list == nil || list.Kind == source.Null {
		return
	}
	if list.Kind != source.List {
		b.report(list, markerFault(validationsKey+" is a list of rules, not "+list.Kind.String(), "Write [{rule: \"…\", message: \"…\"}]."))
		return
	}
	for _, item := range list.Items {
		if item.Get("rule") == nil {
			b.report(item, markerFault("a validation needs a rule", "Write {rule: \"self.a < self.b\", message: \"…\"}."))
		}
		for _, f := range item.Fields {
			switch known := []string{"rule", "message"}; {
			case !slices.Contains(known, f.Key):
				b.report(f.Value, markerFault("a validation has no field \""+f.Key+"\"", "It has "+strings.Join(known, " and ")+"."))
			case f.Value.Kind != source.String:
				b.report(f.Value, markerFault("the "+f.Key+" of a validation is a string, not "+f.Value.Kind.String(), ""))
			}
		}
	}
	b.addRules(t, list)
}

// addRules adds a list of {rule, message} to a struct. Entries without a rule have been reported.
func (b *builder) addRules(t *typ, list *source.Value) {
	if list == nil {
		return
	}
	for _, item := range list.Items {
		rule := item.Get("rule")
		if rule == nil || rule.Kind != source.String {
			continue
		}
		if strings.TrimSpace(rule.Text()) == "" {
			b.report(rule, markerFault("the validation is empty", "Write a CEL expression over self."))
			continue
		}
		t.authored++
		t.places[rulePath(len(t.schema.XValidations))] = rule
		t.schema.XValidations = append(t.schema.XValidations, apiextensionsv1.ValidationRule{Rule: rule.Text(), Message: item.Get("message").Text()})
	}
}

// addImmutable adds the rule that keeps a field as it is. It stands at the parent, since a rule on the field
// itself is void once the field is left out for one write.
func (b *builder) addImmutable(t *typ, f source.Field) {
	name, ok := cel.Escape(f.Key)
	if property := t.schema.Properties[f.Key]; isOpaque(&property) {
		b.report(f.Value, markerFault("a field that takes anything cannot be immutable: rules cannot see it", "Use object, or a type with fields."))
		return
	}
	if !ok {
		b.report(f.Value, markerFault("the field \""+f.Key+"\" cannot be immutable: rules cannot name it", "Use letters, digits, '_', '-' and '.' only."))
		return
	}
	path := "." + f.Key
	if name != f.Key {
		path = "['" + f.Key + "']"
	}
	t.places[rulePath(len(t.schema.XValidations))] = f.Value
	t.schema.XValidations = append(t.schema.XValidations, apiextensionsv1.ValidationRule{
		Rule:      "has(self." + name + ") == has(oldSelf." + name + ") && (!has(self." + name + ") || self." + name + " == oldSelf." + name + ")",
		Message:   f.Key + " is immutable",
		FieldPath: path,
	})
}

// isOpaque tells whether rules of the API server cannot see a field: it, or what is in it, has no type.
func isOpaque(s *apiextensionsv1.JSONSchemaProps) bool {
	switch {
	case s.Items != nil && s.Items.Schema != nil:
		return isOpaque(s.Items.Schema)
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		return isOpaque(s.AdditionalProperties.Schema)
	default:
		return s.Type == "" && !s.XIntOrString
	}
}
