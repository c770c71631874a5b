// Package graph is what a compiled ResourceGroup is: nodes, what they need, the API that they serve.
//
// graph/compile makes graphs, the Hub hands them to consumers, and runtime evaluates them. A graph never
// changes (I1), so all readers share one. It does no I/O and knows no client.
package graph

import (
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph/expr"
)

// Spec is what a Graph is made from; New takes it over, so that nobody changes it afterwards.
type Spec struct {
	Name       string                      // of the ResourceGroup
	Hash       string                      // of the canonical JSON of its spec
	Kind       schema.GroupVersionKind     // that it serves
	Resource   schema.GroupVersionResource // that it serves
	Namespaced bool                        // scope of the instances
	CRD        *apiextensionsv1.CustomResourceDefinition
	Instance   *expr.Type // of the variable `schema`: apiVersion, kind, metadata, spec
	Nodes      []*Node    // in the order of the document
	Order      []int      // topological, indices into Nodes
	Layers     [][]int    // nodes of one layer do not need each other
	Status     *Body      // projections; nil when there are none
	Conditions []*Condition
	Policies   Policies
	Absent     []schema.GroupVersionKind // kinds that are not installed, sorted
}

// Policies are the settings of a whole group.
type Policies struct {
	DeletionPolicy         string            // Wait, Cascade
	CRDDeletion            string            // Retain, Delete
	Pinning                string            // Denied, Allowed
	OwnerReferences        string            // Set, None
	DefaultServiceAccounts map[string]string // nil when the field is missing
}

// Graph is one compiled ResourceGroup. Immutable and shared.
type Graph struct {
	spec       Spec
	byID       map[string]*Node
	dependents map[string][]string
	reads      reads
	readers    readers
}

// New makes a graph of a spec whose Order and Layers cover all nodes.
func New(spec Spec) *Graph {
	g := &Graph{spec: spec, byID: make(map[string]*Node, len(spec.Nodes)), dependents: map[string][]string{}}
	for _, n := range spec.Nodes {
		g.byID[n.ID] = n
		for _, need := range n.Needs {
			g.dependents[need.ID] = append(g.dependents[need.ID], n.ID)
		}
	}
	return g
}

// Name is the ResourceGroup's.
func (g *Graph) Name() string { return g.spec.Name }

// Hash identifies what the author wrote: equal hashes, equal specs.
func (g *Graph) Hash() string { return g.spec.Hash }

// Kind is the kind of the instances.
func (g *Graph) Kind() schema.GroupVersionKind { return g.spec.Kind }

// Resource is the resource of the instances.
func (g *Graph) Resource() schema.GroupVersionResource { return g.spec.Resource }

// IsNamespaced tells the scope of the instances.
func (g *Graph) IsNamespaced() bool { return g.spec.Namespaced }

// CRD gives a copy of the generated CustomResourceDefinition.
func (g *Graph) CRD() *apiextensionsv1.CustomResourceDefinition { return g.spec.CRD.DeepCopy() }

// InstanceType is the type of `schema`.
func (g *Graph) InstanceType() *expr.Type { return g.spec.Instance }

// Nodes gives the nodes in the order of the document. Callers must not change it.
func (g *Graph) Nodes() []*Node { return g.spec.Nodes }

// Node gives the node with this id, nil when there is none.
func (g *Graph) Node(id string) *Node { return g.byID[id] }

// Order gives the indices of Nodes in topological order, the first ready node in document order first.
func (g *Graph) Order() []int { return g.spec.Order }

// Layers gives the indices of Nodes layer by layer.
func (g *Graph) Layers() [][]int { return g.spec.Layers }

// Dependents gives the ids of the nodes that need this one, in document order.
func (g *Graph) Dependents(id string) []string { return g.dependents[id] }

// Status is the tree of projections, nil when there are none.
func (g *Graph) Status() *Body { return g.spec.Status }

// Conditions are the author's status conditions.
func (g *Graph) Conditions() []*Condition { return g.spec.Conditions }

// Policies are the group's settings.
func (g *Graph) Policies() Policies { return g.spec.Policies }

// Absent names the kinds of nodes that are not installed; such nodes wait.
func (g *Graph) Absent() []schema.GroupVersionKind { return g.spec.Absent }

// String prints the graph for tests and people: one line a node in topological order, with what it needs.
func (g *Graph) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s serves %s\n", g.spec.Name, g.spec.Kind)
	for _, i := range g.spec.Order {
		b.WriteString("  " + g.spec.Nodes[i].String() + "\n")
	}
	return b.String()
}
