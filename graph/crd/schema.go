package crd

import (
	"maps"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func rootSchema(in Input) *apiextensionsv1.JSONSchemaProps {
	root := &apiextensionsv1.JSONSchemaProps{
		Type: "object",
		Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"apiVersion": {Type: "string", Description: "The version of the API that this object is written in."},
			"kind":       {Type: "string", Description: "The kind of this object."},
			"metadata":   {Type: "object"},
			"spec":       {Type: "object"},
			"status":     statusSchema(in.Status),
		},
	}
	if in.Inputs.Schema != nil {
		root.Properties["spec"] = *in.Inputs.Schema.DeepCopy()
	}
	if spec := root.Properties["spec"]; len(spec.Required) > 0 && spec.Default == nil {
		root.Required = []string{"spec"}
	}
	return root
}

// statusSchema is the author's projections beside what Plait reports on every instance. It checks little:
// a status that is refused could not be reported at all.
func statusSchema(projected map[string]apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
	properties := map[string]apiextensionsv1.JSONSchemaProps{}
	for name, property := range projected {
		properties[name] = *property.DeepCopy()
	}
	maps.Copy(properties, map[string]apiextensionsv1.JSONSchemaProps{
		"state":                  text("Where the object stands: IN_PROGRESS, ACTIVE, FAILED, ERROR or DELETING."),
		"observedGeneration":     integer("Generation of the spec that this status speaks of; -1 until Plait has looked at it."),
		"revision":               integer("Number of the ResourceGroup's revision that the object runs on."),
		"serviceAccount":         text("The service account that writes the resources, as namespace/name."),
		"conditions":             conditionsSchema(),
		"resources":              resourcesSchema(),
		"resourcesOmitted":       integer("How many entries resources would have beyond its limits."),
		"lastHandledReconcileAt": text("Value of the annotation plait.run/reconcile-at that was last acted upon."),
	})
	return apiextensionsv1.JSONSchemaProps{
		Type: "object", Properties: properties,
		Default: &apiextensionsv1.JSON{Raw: []byte(`{"observedGeneration":-1}`)},
	}
}

func conditionsSchema() apiextensionsv1.JSONSchemaProps {
	return apiextensionsv1.JSONSchemaProps{
		Type: "array", Description: "What is so, what is not, and why.",
		XListType: new("map"), XListMapKeys: []string{"type"},
		Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{
			Type: "object", Required: []string{"status", "type"},
			Properties: map[string]apiextensionsv1.JSONSchemaProps{
				"type":               text("What the condition is about."),
				"status":             text("True, False or Unknown."),
				"reason":             text("Why, in one word."),
				"message":            text("Why, for people."),
				"observedGeneration": integer("Generation of the spec that the condition speaks of."),
				"lastTransitionTime": moment("When status last changed."),
			},
		}},
	}
}

func resourcesSchema() apiextensionsv1.JSONSchemaProps {
	return apiextensionsv1.JSONSchemaProps{
		Type: "array", Description: "The resources behind this object, those that are not ready first.",
		XListType: new("atomic"),
		Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{
			Type: "object", Required: []string{"id", "state"},
			Properties: map[string]apiextensionsv1.JSONSchemaProps{
				"id":         text("Id of the node in the ResourceGroup."),
				"apiVersion": text("API version of the resource."),
				"kind":       text("Kind of the resource."),
				"namespace":  text("Namespace of the resource."),
				"name":       text("Name of the resource."),
				"uid":        text("UID of the resource."),
				"state":      text("Excluded, Waiting, Applied, Ready, Failed or Deleting."),
				"since":      moment("Since when it is so."),
				"reason":     text("Why it failed, in one word."),
				"message":    text("What is waited for, or what went wrong."),
			},
		}},
	}
}

func text(description string) apiextensionsv1.JSONSchemaProps {
	return apiextensionsv1.JSONSchemaProps{Type: "string", Description: description}
}

func integer(description string) apiextensionsv1.JSONSchemaProps {
	return apiextensionsv1.JSONSchemaProps{Type: "integer", Format: "int64", Description: description}
}

func moment(description string) apiextensionsv1.JSONSchemaProps {
	return apiextensionsv1.JSONSchemaProps{Type: "string", Format: "date-time", Description: description}
}
