package inspect

import (
	"fmt"
	"time"
)

// Relation says what an Item is to the one above it.
type Relation string

// The relations.
const (
	Root       Relation = "root"       // what was asked for
	Node       Relation = "node"       // a node of an instance, with its object if it has one
	Leftover   Relation = "leftover"   // an object of an instance that its status does not list
	Instance   Relation = "instance"   // an instance of a ResourceGroup
	Group      Relation = "group"      // the ResourceGroup that serves an instance
	Copy       Relation = "copy"       // at the provider, of an object of a bound API
	Connection Relation = "connection" // through which a copy is kept, or that a binding refers to
	API        Relation = "api"        // that a Connection exports or a binding binds
	Binding    Relation = "binding"    // that refers to a Connection
	Mount      Relation = "mount"      // that implements a Workspace
)

// Class says what kind of thing an Item is, for those who decide by it.
type Class string

// The classes.
const (
	ClassInstance   Class = "instance"
	ClassGroup      Class = "resourcegroup"
	ClassConnection Class = "connection"
	ClassBinding    Class = "binding"
	ClassWorkspace  Class = "workspace"
	ClassObject     Class = "object" // any other object of a cluster
	ClassNone       Class = "none"   // no object: a node without one, an API
)

// Item is one thing in a tree: an object, or a node or API that has none.
type Item struct {
	Relation   Relation    `json:"relation"`
	Class      Class       `json:"class"`
	ID         string      `json:"id,omitempty"` // of the node; of an API its name
	APIVersion string      `json:"apiVersion,omitempty"`
	Kind       string      `json:"kind,omitempty"`
	Namespace  string      `json:"namespace,omitempty"`
	Name       string      `json:"name,omitempty"`
	State      string      `json:"state,omitempty"` // of a node, an instance, a phase, …; "" while nothing is known
	Health     Health      `json:"health"`
	Reason     string      `json:"reason,omitempty"`
	Message    string      `json:"message,omitempty"` // what is waited for, or wrong
	Since      *time.Time  `json:"since,omitempty"`   // it has this state
	Created    *time.Time  `json:"created,omitempty"`
	Missing    bool        `json:"missing,omitempty"` // it is referred to, and does not exist
	Account    string      `json:"serviceAccount,omitempty"`
	Group      string      `json:"resourceGroup,omitempty"` // that serves an instance, if it could be read
	Conditions []Condition `json:"conditions,omitempty"`
	Findings   []Finding   `json:"findings,omitempty"`  // with Options.Findings
	Needs      []string    `json:"needs,omitempty"`     // ids of the nodes that a node waits for, as far as known
	ReadyWhen  []string    `json:"readyWhen,omitempty"` // conditions of a node, as far as known
	Items      []*Item     `json:"items,omitempty"`
	Omitted    int         `json:"omitted,omitempty"` // entries that Items would have beyond its limit
	Notes      []string    `json:"notes,omitempty"`   // what could not be read

	// Suspended says that an annotation asks for nothing to be written.
	Suspended bool `json:"suspended,omitempty"`

	// OwnProblem says of a copy that it is this very object that is not copied, not its whole API.
	OwnProblem bool `json:"ownProblem,omitempty"`

	// Behind says that the status is of an older generation of the spec, or of none.
	Behind       bool   `json:"behind,omitempty"`
	uid, version string // of the object as it was read; empty when there is none
}

// Condition is a condition of an object's status.
type Condition struct {
	Type    string     `json:"type"`
	Status  string     `json:"status"`
	Reason  string     `json:"reason,omitempty"`
	Message string     `json:"message,omitempty"`
	Since   *time.Time `json:"since,omitempty"`
}

// Finding is something about an object that is seen elsewhere: at its pods, in its events.
type Finding struct {
	Subject string `json:"subject"` // Pod shop-abc
	Reason  string `json:"reason"`
	Message string `json:"message,omitempty"`
}

// Title is `Kind namespace/name`, or the id of what is no object.
func (it *Item) Title() string {
	switch {
	case it.Kind == "":
		return it.ID
	case it.Namespace != "":
		return fmt.Sprintf("%s %s/%s", it.Kind, it.Namespace, it.Name)
	default:
		return it.Kind + " " + it.Name
	}
}

// Condition gives a condition by its type; nil when there is none.
func (it *Item) Condition(kind string) *Condition {
	for i := range it.Conditions {
		if it.Conditions[i].Type == kind {
			return &it.Conditions[i]
		}
	}
	return nil
}

// Part gives the first item below of a relation; nil when there is none.
func (it *Item) Part(relation Relation) *Item {
	for _, part := range it.Items {
		if part.Relation == relation {
			return part
		}
	}
	return nil
}

// Walk calls f with the item and everything below it, parents first.
func (it *Item) Walk(f func(*Item)) {
	f(it)
	for _, part := range it.Items {
		part.Walk(f)
	}
}
