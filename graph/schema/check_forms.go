package schema

import (
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// forms checks a value against the combined schemas of s. They restrict values and declare no fields.
func (c *checker) forms(s *spec.Schema, v any, path string) {
	for i := range s.AllOf {
		c.faults = append(c.faults, faultsOf(&s.AllOf[i], v, path)...)
	}
	c.oneForm(s.AnyOf, v, path)
	if fitting := c.oneForm(s.OneOf, v, path); fitting > 1 && !hasHole(v) {
		c.add(Fault{Path: path, Kind: Form, Message: "fits several of the forms of which the schema takes exactly one"})
	}
	if s.Not != nil && !hasHole(v) && len(faultsOf(s.Not, v, path)) == 0 {
		c.add(Fault{Path: path, Kind: Form, Message: "has a form that the schema rules out"})
	}
}

// oneForm reports a value that fits none of several schemas, and tells how many it fits.
func (c *checker) oneForm(forms []spec.Schema, v any, path string) (fitting int) {
	if len(forms) == 0 {
		return 0
	}
	var reasons []string
	for i := range forms {
		faults := faultsOf(&forms[i], v, path)
		if len(faults) == 0 {
			fitting++
			continue
		}
		reasons = append(reasons, faults[0].Message)
	}
	if fitting == 0 {
		message := "fits none of the forms that the schema takes: " + strings.Join(reasons, "; or ")
		c.add(Fault{Path: path, Kind: Form, Message: message})
	}
	return fitting
}

func faultsOf(s *spec.Schema, v any, path string) []Fault {
	c := &checker{partial: true}
	c.value(s, v, path)
	return c.faults
}
