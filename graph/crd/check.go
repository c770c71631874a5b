package crd

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// maxRounds is how often a definition is validated anew. The API server checks in stages, each of which hides
// the next one.
const maxRounds = 4

// checker builds and checks one definition.
type checker struct {
	in            Input
	problems      diag.List
	built         []apiextensionsv1.CustomResourceColumnDefinition
	columnSources []*source.Value // of built; nil for those that no entry of additionalPrinterColumns made
	ageSource     *source.Value
	reported      map[*source.Value]bool
}

func (c *checker) report(v *source.Value, code diag.Code, summary, suggestion string) {
	d := diag.Diagnostic{File: c.in.Source.File, Path: "spec.schema", Code: code, Summary: summary, Suggestion: suggestion}
	if v != nil {
		d.Path, d.Position = v.Path, v.Position
	}
	c.problems.Add(d)
}

// check validates as the API server does. What it complains of is reported and taken out of a copy, and the
// copy is validated again, until nothing new turns up. Rules come first and without defaults, since a default
// that breaks a rule and one whose rule does not compile are told alike.
func (c *checker) check(crd *apiextensionsv1.CustomResourceDefinition) {
	if len(Validate(context.Background(), crd)) == 0 {
		return
	}
	c.reported = map[*source.Value]bool{}
	rest := crd.DeepCopy()
	c.checkRules(rest)
	for range maxRounds {
		changed := false
		for _, err := range withoutTotals(Validate(context.Background(), rest)) {
			c.reportError(err)
			changed = takeOut(rest, err.Field) || changed
		}
		if !changed {
			return
		}
	}
}

// checkRules reports the rules that cannot be used and takes them out.
func (c *checker) checkRules(rest *apiextensionsv1.CustomResourceDefinition) {
	plain := rest.DeepCopy()
	if !dropDefaults(plain.Spec.Versions[0].Schema.OpenAPIV3Schema) {
		return
	}
	for _, err := range withoutTotals(Validate(context.Background(), plain)) {
		if strings.Contains(err.Field, "x-kubernetes-validations") {
			c.reportError(err)
			takeOut(rest, err.Field)
		}
	}
}

// Validate gives what the API server would refuse of a definition that is created.
func Validate(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) field.ErrorList {
	crd = crd.DeepCopy()
	apiextensionsv1.SetDefaults_CustomResourceDefinition(crd)
	var internal apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(crd, &internal, nil); err != nil {
		return field.ErrorList{field.InternalError(field.NewPath("spec"), err)}
	}
	return validation.ValidateCustomResourceDefinition(ctx, &internal)
}

// schemaPath gives the part of an error's path below the root of the schema; false when it is about something
// else.
func schemaPath(path string) (string, bool) {
	_, below, ok := strings.Cut(path, "openAPIV3Schema")
	return strings.TrimPrefix(below, "."), ok
}

// withoutTotals drops the error about the cost of all rules together where single rules are named for it.
func withoutTotals(errs field.ErrorList) field.ErrorList {
	var out, totals field.ErrorList
	for _, err := range errs {
		if path, ok := schemaPath(err.Field); ok && path == "" && err.Type == field.ErrorTypeForbidden {
			totals = append(totals, err)
			continue
		}
		out = append(out, err)
	}
	if len(out) == 0 {
		return totals
	}
	slices.SortStableFunc(out, func(a, b *field.Error) int { // what is wrong before what is dear
		return btoi(a.Type == field.ErrorTypeForbidden) - btoi(b.Type == field.ErrorTypeForbidden)
	})
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// reportError reports an error at the value of the document that it comes from, one for each value.
func (c *checker) reportError(err *field.Error) {
	path, isSchema := schemaPath(err.Field)
	if !isSchema {
		c.reportName(err)
		return
	}
	at := c.fieldOf(path)
	if at != nil && c.reported[at] {
		return
	}
	c.reported[at] = true
	switch {
	case strings.Contains(path, "x-kubernetes-validations"):
		summary, suggestion := explainRule(err)
		c.report(at, diag.SchemaRule, summary, suggestion)
	case strings.Contains(path, ".default"):
		c.report(at, diag.SchemaDefault, "the default breaks the rules of its own field: "+err.ErrorBody(), "")
	default:
		c.report(at, diag.SchemaInvalid, "the API server would refuse this field: "+err.ErrorBody(), "")
	}
}

// fieldOf gives the value of the document that defines a part of the schema, or the nearest part around it.
func (c *checker) fieldOf(path string) *source.Value {
	s := c.in.Source.Schema
	if below, ok := strings.CutPrefix(path, "properties[status]"); ok {
		if name, _, ok := strings.Cut(strings.TrimPrefix(below, ".properties["), "]"); ok && s.Status.Get(name) != nil {
			return s.Status.Get(name)
		}
		return orElse(s.Status, s.Value)
	}
	path = strings.TrimPrefix(strings.TrimPrefix(path, "properties[spec]"), ".")
	for path != "" {
		if v := c.in.Inputs.Fields[path]; v != nil {
			return v
		}
		path = path[:max(0, strings.LastIndexByte(path, '.'))]
	}
	return orElse(s.Spec, s.Value)
}

func orElse(v, otherwise *source.Value) *source.Value {
	if v != nil {
		return v
	}
	return otherwise
}

// reportName reports an error outside of the schema. What the caller has checked is left to it.
func (c *checker) reportName(err *field.Error) {
	s := c.in.Source.Schema
	code, at := diag.APIName, s.Kind
	switch root, index := splitIndex(err.Field); root {
	case "spec.group", "spec.names.kind", "spec.names.singular", "metadata.name", "spec.version", "spec.versions.name",
		"metadata.annotations.kubernetes.io]": // a group of Kubernetes wants an approval
		return
	case "metadata.annotations":
		code, at = diag.APIInvalid, s.Annotations
	case "spec.names.plural", "spec.names.listKind":
		if root == "spec.names.plural" && s.Plural != nil || c.reported[s.Kind] || isMalformed(c.in.Kind.Kind) {
			return
		}
		c.reported[s.Kind] = true
	case "spec.names.shortNames":
		at = itemOf(s.ShortNames, index)
	case "spec.names.categories":
		at = itemOf(s.Categories, index)
	case "metadata.labels":
		code, at = diag.APIInvalid, s.Labels
	default:
		code, at = diag.APIInvalid, s.Value
		if strings.Contains(root, "additionalPrinterColumns") && index < len(c.columnSources) {
			at = orElse(c.columnSources[index], s.Value)
			at = orElse(at.Get(columnKey(root)), at)
		}
	}
	if at != nil && at.Kind != source.Null && at.Kind < source.String {
		return // no text, which was reported when the document was read
	}
	c.report(at, code, "the API server would refuse this: "+err.ErrorBody(), "")
}

// columnKey is the field of a printer column that a path ends in, as the author writes it.
func columnKey(path string) string {
	if key := path[strings.LastIndexByte(path, '.')+1:]; key != "JSONPath" {
		return key
	}
	return "jsonPath"
}

// isMalformed tells of a kind that the caller has reported, with whatever is made of its name.
func isMalformed(kind string) bool {
	return len(utilvalidation.IsDNS1035Label(strings.ToLower(kind))) > 0
}

func itemOf(list *source.Value, index int) *source.Value {
	if list == nil || index >= len(list.Items) {
		return list
	}
	return list.Items[index]
}

// splitIndex gives a path without its indices, and the last one of these.
func splitIndex(path string) (root string, index int) {
	var b strings.Builder
	for part := range strings.SplitSeq(path, ".") {
		name, rest, hasIndex := strings.Cut(part, "[")
		if n, err := strconv.Atoi(strings.TrimSuffix(rest, "]")); hasIndex && err == nil {
			index = n
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(name)
	}
	return b.String(), index
}
