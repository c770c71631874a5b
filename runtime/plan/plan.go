// Package plan is what one evaluation of an instance says should be: the objects, what waits and why, the status.
//
// runtime makes plans, the instance reconciler carries them out and plait render prints them. A plan is a
// value: it holds no client and is never changed by whoever carries it out.
package plan

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph"
)

// Key names an object in any version of its kind. Namespace is empty for cluster-scoped kinds.
type Key struct {
	Group     string
	Kind      string
	Namespace string
	Name      string
}

// String is `Kind namespace/name` or `Kind name`, as messages show objects.
func (k Key) String() string {
	if k.Namespace == "" {
		return k.Kind + " " + k.Name
	}
	return fmt.Sprintf("%s %s/%s", k.Kind, k.Namespace, k.Name)
}

// Compare orders keys by group, kind, namespace and name.
func (k Key) Compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Group, o.Group), cmp.Compare(k.Kind, o.Kind),
		cmp.Compare(k.Namespace, o.Namespace), cmp.Compare(k.Name, o.Name))
}

// NodeState is where a node stands.
type NodeState string

// The states of a node, everywhere that they are shown.
const (
	Excluded NodeState = "Excluded" // an includeWhen is false, here or at a node that it needs
	Waiting  NodeState = "Waiting"  // something that it needs is not there yet
	Applied  NodeState = "Applied"  // exists (or is about to), and is not ready
	Ready    NodeState = "Ready"
	Failed   NodeState = "Failed"   // gets no further until an input changes
	Deleting NodeState = "Deleting" // not wanted any more, and its objects are still there
)

// Action is what to do with an object.
type Action string

// The actions on wanted objects. What is not wanted any more stands in Plan.Prune.
const (
	Keep   Action = "Keep"   // the cluster holds what the plan wants
	Create Action = "Create" // nothing is there
	Apply  Action = "Apply"  // something of ours is there and differs
)

// Reason says why an instance is not ready; the reasons of instances.md's Ready condition.
type Reason string

// The reasons that an evaluation or a write can give.
const (
	ReasonAvailable        Reason = "Available"
	ReasonProgressing      Reason = "Progressing"
	ReasonInvalidInput     Reason = "InvalidInput"
	ReasonEvaluationFailed Reason = "EvaluationFailed"
	ReasonForbidden        Reason = "Forbidden"
	ReasonAdmissionDenied  Reason = "AdmissionDenied"
	ReasonConflict         Reason = "Conflict"
	ReasonObjectNotOwned   Reason = "ObjectNotOwned"
	ReasonInvalidObject    Reason = "InvalidObject"
	ReasonApplyError       Reason = "ApplyError"
)

// Plan is the outcome of one evaluation.
type Plan struct {
	Nodes      []Node         // in the order of the document
	Order      []int          // indices of Nodes in topological order: the order of applying
	Prune      [][]Key        // children that are certainly not wanted any more; wave by wave, dependents first; some may be going already
	Status     map[string]any // the author's projections that have a value
	Unknown    []string       // projections that cannot be told for a passing reason (cache not synced): they keep their last value
	Passing    bool           // there are such
	Faults     []StatusFault  // projections that failed
	Conditions []Condition    // the author's, in order
	Wants      []Want         // the external objects that the evaluation asked for, sorted
	Reads      []Key          // children of which more was read than we rendered, sorted; the identity needs the right to get them
}

// Node is one node's share of a plan.
type Node struct {
	ID         string
	State      NodeState
	Reason     Reason   // of Failed
	Passing    bool     // of Failed: the fault is the cluster's and is tried again
	Message    string   // one line: what is waited for, or what is wrong and how to cure it
	WaitingFor []string // db.status.endpoint, db, ConfigMap platform/facts; sorted by first appearance
	Objects    []Object // rendered, in item order; empty for externals and defs, and while values are missing
}

// Object is one object that a node wants.
type Object struct {
	Node      string
	Item      string // of a collection: the item's iterator values, stable and unique within the node
	Key       Key
	GVK       schema.GroupVersionKind
	Resource  schema.GroupVersionResource
	Needs     []string       // ids of the nodes that its node needs
	Rendered  map[string]any // complete but for the marks of the engine; never changed; may be nil for Keep
	Action    Action
	Lifecycle graph.Lifecycle
	Secret    bool // no value of it may be shown
}

// StatusFault is a projection that failed.
type StatusFault struct {
	Path    string // status.url
	Message string
	Denied  bool // the identity may not read what it needs
}

// Condition is a status condition of the author's.
type Condition struct {
	Type    string
	Status  string // True, False, Unknown
	Reason  string
	Message string
}

// Want names external objects to read. It is comparable, so that readings are kept by it.
type Want struct {
	Resource  schema.GroupVersionResource
	Kind      string
	Namespace string // empty: cluster-scoped, or all namespaces
	Name      string // of one object; empty with a selector
	Selector  string // canonical form of the label selector; meaningful when Name is empty
}

// Compare orders wants by resource, namespace, name and selector.
func (w Want) Compare(o Want) int {
	return cmp.Or(cmp.Compare(w.Resource.Group, o.Resource.Group), cmp.Compare(w.Resource.Version, o.Resource.Version),
		cmp.Compare(w.Resource.Resource, o.Resource.Resource), cmp.Compare(w.Kind, o.Kind),
		cmp.Compare(w.Namespace, o.Namespace), cmp.Compare(w.Name, o.Name), cmp.Compare(w.Selector, o.Selector))
}

// Fault is a write or read that did not succeed, told back to the evaluation.
type Fault struct {
	Reason  Reason
	Message string
	Passing bool // a fault of the API server or the network: ERROR and tried again, not FAILED
}
