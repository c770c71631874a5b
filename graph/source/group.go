package source

import "github.com/plait-run/plait/graph/diag"

// Group is one ResourceGroup as its author wrote it, cut into the parts that the compiler's passes read.
// Absent parts are nil or empty; nothing is defaulted. Immutable once mapped.
type Group struct {
	File     string
	Name     string // metadata.name
	Root     *Value // the whole document
	Schema   Schema
	Nodes    []Node // spec.resources, in the order of the document
	Policies Policies
}

// Schema is spec.schema.
type Schema struct {
	Value       *Value // spec.schema itself; nil when it is missing
	APIVersion  *Value
	Kind        *Value
	Group       *Value
	Scope       *Value
	Plural      *Value
	ShortNames  *Value
	Categories  *Value
	Labels      *Value // metadata.labels
	Annotations *Value // metadata.annotations
	Spec        *Value
	Types       *Value
	Status      *Value
	Validations *Value
	Columns     *Value // additionalPrinterColumns
}

// Policies are the fields of spec beside schema and resources, checked for their form and with their
// defaults filled in.
type Policies struct {
	DeletionPolicy         string            // Wait or Cascade
	CRDDeletion            string            // Retain or Delete
	Pinning                string            // Denied or Allowed
	OwnerReferences        string            // Set or None
	DefaultServiceAccounts map[string]string // nil when the field is missing, which is not the same as empty
}

// Node is one entry of spec.resources.
type Node struct {
	Index       int
	Path        string // spec.resources[2]
	Position    diag.Position
	ID          *Value
	Template    *Value
	ExternalRef *Value
	Def         *Value
	IncludeWhen []*Value
	ReadyWhen   []*Value
	ForEach     []Iterator
	DependsOn   []*Value
	Lifecycle   Lifecycle
}

// Iterator is one entry of forEach: one name and the string with its list.
type Iterator struct {
	Name         string
	NamePosition diag.Position
	Value        *Value
}

// Lifecycle is a node's lifecycle with its defaults filled in.
type Lifecycle struct {
	Deletion     string // Delete or Orphan
	Adoption     string // Never or IfUnowned
	Conflict     string // Force or Fail
	Recreate     string // Never or OnImmutable
	IgnoreFields []*Value
}
