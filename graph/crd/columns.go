package crd

import (
	"math"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// columns are STATE, READY, the author's, and AGE. A column of the author takes the place of one of the same
// name, as kubectl prints it: in capitals.
func (c *checker) columns() []apiextensionsv1.CustomResourceColumnDefinition {
	c.addColumn(apiextensionsv1.CustomResourceColumnDefinition{Name: "STATE", Type: "string", JSONPath: ".status.state"}, nil)
	c.addColumn(apiextensionsv1.CustomResourceColumnDefinition{
		Name: "READY", Type: "string", JSONPath: `.status.conditions[?(@.type=="Ready")].status`,
	}, nil)
	for _, column := range c.in.Inputs.Columns {
		c.addColumn(column, nil)
	}
	age := apiextensionsv1.CustomResourceColumnDefinition{Name: "AGE", Type: "date", JSONPath: ".metadata.creationTimestamp"}
	if list := c.in.Source.Schema.Columns; list != nil {
		named := map[string]bool{}
		for _, item := range list.Items {
			column, ok := c.columnOf(item)
			if !ok {
				continue
			}
			if title := strings.ToUpper(column.Name); named[title] {
				c.report(item.Get("name"), diag.InvalidValue, "there are two printer columns "+title, "Give each column a name of its own; capitals make no difference.")
			} else {
				named[title] = true
			}
			if strings.EqualFold(column.Name, age.Name) {
				age = column
				c.ageSource = item
				continue
			}
			c.addColumn(column, item)
		}
	}
	c.addColumn(age, c.ageSource)
	return c.built
}

func (c *checker) addColumn(column apiextensionsv1.CustomResourceColumnDefinition, from *source.Value) {
	for i := range c.built {
		if strings.EqualFold(c.built[i].Name, column.Name) {
			c.built[i], c.columnSources[i] = column, from
			return
		}
	}
	c.built = append(c.built, column)
	c.columnSources = append(c.columnSources, from)
}

// columnOf reads an entry; false when it is none. A field that is missing was reported where the document was mapped.
func (c *checker) columnOf(v *source.Value) (apiextensionsv1.CustomResourceColumnDefinition, bool) {
	ok := true
	for _, key := range []string{"name", "type", "jsonPath"} {
		field := v.Get(key)
		ok = ok && field.Text() != ""
		if field != nil && field.Kind == source.String && field.Text() == "" {
			c.report(field, diag.InvalidValue, "a printer column needs a "+key+", and this is empty", "")
		}
	}
	var priority int64
	if p := v.Get("priority"); p != nil {
		priority, _ = p.Scalar.(int64)
		if priority < 0 || priority > math.MaxInt32 {
			c.report(p, diag.InvalidValue, "the priority of a column is a whole number from 0 up to 2147483647", "Write 0 for a column that is always shown, 1 for one of -o wide.")
		}
	}
	return apiextensionsv1.CustomResourceColumnDefinition{
		Name:        v.Get("name").Text(),
		Type:        v.Get("type").Text(),
		Format:      v.Get("format").Text(),
		Description: v.Get("description").Text(),
		JSONPath:    v.Get("jsonPath").Text(),
		Priority:    int32(priority),
	}, ok
}
