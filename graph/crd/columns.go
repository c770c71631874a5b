package crd

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

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
		for _, item := range list.Items {
			column := columnOf(item)
			if column.Name == "" || column.Type == "" || column.JSONPath == "" {
				continue // reported where the document was mapped
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

func columnOf(v *source.Value) apiextensionsv1.CustomResourceColumnDefinition {
	var priority int64
	if p := v.Get("priority"); p != nil {
		priority, _ = p.Scalar.(int64)
	}
	return apiextensionsv1.CustomResourceColumnDefinition{
		Name:        v.Get("name").Text(),
		Type:        v.Get("type").Text(),
		Format:      v.Get("format").Text(),
		Description: v.Get("description").Text(),
		JSONPath:    v.Get("jsonPath").Text(),
		Priority:    int32(priority),
	}
}
