package compile

import (
	"maps"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/plait-run/plait/graph/expr"
	"github.com/plait-run/plait/graph/schema"
)

// ownKind is the kind that the group itself serves, as a child of its instances. Its inputs are those of this document
// and not of what is served so far, since the two become one. What the author projects into the status is dynamic:
// its types come from this very compilation, and a type made of its former self would grow with each one.
func (s *state) ownKind(served *schema.Kind) *schema.Kind {
	next := s.instanceKind()
	if next == nil {
		return served
	}
	root := *served.Schema
	root.Properties = maps.Clone(root.Properties)
	delete(root.Properties, "spec")
	if inputs, ok := next.Schema.Properties["spec"]; ok {
		root.Properties["spec"] = inputs
	}
	if fields := s.group.Schema.Status; fields != nil {
		status := root.Properties["status"]
		properties := maps.Clone(status.Properties)
		for _, f := range fields.Fields {
			if properties != nil && f.Key != "conditions" { // nil is a status of any shape
				properties[f.Key] = spec.Schema{}
			}
		}
		status.Properties = properties
		root.Properties["status"] = status
	}
	out := *served
	out.Schema, out.Type = &root, expr.FromSchema(&root)
	return &out
}
