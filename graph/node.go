package graph

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph/expr"
)

// NodeKind is what a node stands for.
type NodeKind int

// The kinds of nodes.
const (
	Template     NodeKind = iota // objects that the engine applies
	External                     // one object that is only read
	ExternalList                 // objects that are only read, found by a selector
	Def                          // a computed value
)

// String is the word that people see.
func (k NodeKind) String() string {
	return [...]string{"template", "external", "external list", "def"}[k]
}

// Node is one entry of spec.resources, checked. Immutable.
type Node struct {
	ID          string
	Index       int    // in the document
	Path        string // spec.resources[2]
	Kind        NodeKind
	GVK         schema.GroupVersionKind     // zero for Def
	Resource    schema.GroupVersionResource // zero for Def, and while the kind is not installed
	Namespaced  bool                        // scope of the kind
	Installed   bool                        // false: the kind is unknown to the cluster, and the node waits
	Type        *expr.Type                  // of one object, or of the def's value
	Body        *Body                       // of Template and Def
	External    *ExternalRef                // of External and ExternalList
	IncludeWhen []*Condition
	ReadyWhen   []*Condition
	ForEach     []*Iterator
	Needs       []Need // by document order of what is needed, each id once
	Lifecycle   Lifecycle
	ReadsSecret bool // an expression of the node reads a Secret or bytes: no value of it may be shown
}

// IsCollection tells whether other nodes see a list.
func (n *Node) IsCollection() bool { return len(n.ForEach) > 0 || n.Kind == ExternalList }

// String is `id kind (needs a, ~b)`; ~ marks soft edges, > pure order.
func (n *Node) String() string {
	var b strings.Builder
	b.WriteString(n.ID + " " + n.Kind.String())
	if n.Kind != Def {
		b.WriteString(" " + n.GVK.Kind)
	}
	if len(n.ForEach) > 0 {
		b.WriteString(" forEach")
	}
	for i, need := range n.Needs {
		b.WriteString([]string{", ", " needs "}[btoi(i == 0)] + need.String())
	}
	return b.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// NeedKind says how strongly a node depends on another.
type NeedKind int

// From the weakest to the strongest.
const (
	Order NeedKind = iota // dependsOn: waits, but shares no exclusion
	Soft                  // every reference is optional: orders and updates, holds nothing up
	Hard                  // waits until the other is applied and ready; shares its exclusion
)

// Need is an edge.
type Need struct {
	ID   string
	Kind NeedKind
	Path string // of the first field that makes the edge, within the node: template.data.x
}

// String marks soft edges with ~ and pure order with >.
func (n Need) String() string { return [...]string{">", "~", ""}[n.Kind] + n.ID }

// Body is a tree of values, some of them computed. Exactly one form: Program, Fields, Items, or else Literal.
type Body struct {
	Path    string     // from the document's root
	Type    *expr.Type // of the field that it fills; nil when nothing is known
	Literal any        // plain JSON value; there is no expression in or below it
	Program *expr.Program
	Fields  []BodyField // non-nil for a map with expressions below
	Items   []*Body     // non-nil for a list with expressions below
}

// BodyField is one entry of a map.
type BodyField struct {
	Key        string        // when KeyProgram is nil
	KeyProgram *expr.Program // gives a string
	Value      *Body
}

// Condition is one standalone expression with its place.
type Condition struct {
	Path    string // spec.resources[0].readyWhen[1]
	Program *expr.Program
}

// Iterator is one forEach entry.
type Iterator struct {
	Name    string
	Path    string
	Program *expr.Program // gives a list
}

// ExternalRef says which objects a node reads. A nil Namespace means the instance's own.
type ExternalRef struct {
	Name          *Body // of External
	Namespace     *Body
	AllNamespaces bool
	Selector      *Body // of ExternalList: a LabelSelector
}

// Lifecycle is how the children of a node are kept.
type Lifecycle struct {
	Orphan       bool     // deletion: Orphan
	Adopt        bool     // adoption: IfUnowned
	FailConflict bool     // conflict: Fail
	Recreate     bool     // recreate: OnImmutable
	IgnoreFields []string // paths within the object
}
