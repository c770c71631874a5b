package compile

import (
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/crd"
)

// buildAPI makes the CustomResourceDefinition, and reports what the API server would refuse of it.
func buildAPI(s *state) {
	if s.group.Schema.Value == nil || s.api.gvk.Kind == "" || s.api.gvk.Version == "" || s.inputs.Schema == nil {
		return
	}
	built, problems := crd.Build(crd.Input{
		Source: s.group, Kind: s.api.gvk, Resource: s.api.gvr, Namespaced: s.api.namespaced,
		Inputs: s.inputs, Status: s.statusSchema,
	})
	s.problems.Append(problems)
	s.crd = built
}

// graph puts together what the passes found. It is called when there is no error.
func (s *state) graph() *graph.Graph {
	nodes := make([]*graph.Node, len(s.nodes))
	for i, n := range s.nodes {
		nodes[i] = n.out
	}
	p := s.group.Policies
	return graph.New(graph.Spec{
		Name: s.group.Name, Hash: Hash(s.group), Kind: s.api.gvk, Resource: s.api.gvr, Namespaced: s.api.namespaced,
		CRD: s.crd, Instance: s.instance, Nodes: nodes, Order: s.order, Layers: s.layers,
		Status: s.status, Conditions: s.conditions, Absent: s.absentKinds(),
		Policies: graph.Policies{
			DeletionPolicy: p.DeletionPolicy, CRDDeletion: p.CRDDeletion, Pinning: p.Pinning,
			OwnerReferences: p.OwnerReferences, DefaultServiceAccounts: p.DefaultServiceAccounts,
		},
	})
}
