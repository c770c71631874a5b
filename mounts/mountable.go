package mounts

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/graph"
)

// NoURL is why most kinds cannot be mounted: nobody means them to be.
const NoURL = "its status has no field URL: add one to spec.schema.status"

// Mountable tells whether Workspaces can be mounted on the instances of a graph; if not, why, as a clause with the cure.
func Mountable(g *graph.Graph) (ok bool, why string) {
	status := statusOf(g.CRD(), g.Kind().Version)
	if phase, ok := status["phase"]; ok && phase.Type != "string" {
		return false, fmt.Sprintf("its status.phase is of type %s, and a phase counts before the state: give the field another name", phase.Type)
	}
	for _, name := range []string{"URL", "url"} {
		field, ok := status[name]
		switch {
		case ok && field.Type == "string":
			return true, ""
		case ok:
			return false, fmt.Sprintf("its status.%s is of type %s, and has to be a string", name, field.Type)
		}
	}
	return false, NoURL
}

// statusOf gives the fields of a version's status.
func statusOf(crd *apiextensionsv1.CustomResourceDefinition, version string) map[string]apiextensionsv1.JSONSchemaProps {
	for _, v := range crd.Spec.Versions {
		if v.Name == version && v.Schema != nil && v.Schema.OpenAPIV3Schema != nil {
			return v.Schema.OpenAPIV3Schema.Properties["status"].Properties
		}
	}
	return nil
}
