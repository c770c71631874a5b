package expr

import (
	"context"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// CONTRACT (skeleton; the owner of graph/expr moves these into their files and implements them).

// Kind is the shape of a Type.
type Kind int

const (
	Dynamic Kind = iota // anything: preserve-unknown, schema-less, a kind that is not installed
	Bool
	Int
	Uint
	Double
	String
	Bytes     // format: byte
	Timestamp // format: date-time
	Duration  // format: duration
	IntOrString
	Null
	List
	Map    // additionalProperties
	Object // properties; may be open as well
	Optional
	Other // a library's own type: url, quantity, ip, …
)

// Type is the type of a value, compared by structure. Immutable; safe for concurrent use.
type Type struct{ placeholder int }

func FromSchema(*spec.Schema) *Type   { panic("skeleton") } // every $ref resolved; a recursive part must be schema-less
func DynamicType() *Type              { panic("skeleton") }
func Primitive(Kind) *Type            { panic("skeleton") } // Bool … Null
func ListOf(*Type) *Type              { panic("skeleton") }
func MapOf(*Type) *Type               { panic("skeleton") }
func ObjectOf(map[string]*Type) *Type { panic("skeleton") } // for def nodes and `schema`

func (t *Type) Kind() Kind                      { panic("skeleton") }
func (t *Type) Elem() *Type                     { panic("skeleton") } // of List, Map, Optional
func (t *Type) Field(name string) (*Type, bool) { panic("skeleton") } // of Object, and any key of Map
func (t *Type) FieldNames() []string            { panic("skeleton") } // sorted
func (t *Type) IsOpen() bool                    { panic("skeleton") } // takes fields that it does not declare
func (t *Type) IsNullable() bool                { panic("skeleton") }
func (t *Type) Schema() *spec.Schema            { panic("skeleton") } // structural JSON schema (status inference; literal checks)
func (t *Type) Equal(*Type) bool                { panic("skeleton") }
func (t *Type) String() string                  { panic("skeleton") } // int, list(string), map(string, int), object, …
// Accepts tells whether a value of type from may be written to a field of type t; if not, why, and what to write instead.
func (t *Type) Accepts(from *Type) (ok bool, why, suggestion string) { panic("skeleton") }

// Text is a scanned string: literal parts and expressions. Scan("$${x}") is the literal "${x}".
type Text struct {
	Parts      []Part
	Standalone bool // one expression and nothing but white space around it
}
type Part struct {
	Literal    string // when Expression is empty
	Expression string // CEL, without ${ }
	Offset     int    // bytes from the start of the string to the expression
}

// ScanError is text that cannot be cut into parts: unterminated, empty expression.
type ScanError struct {
	Offset  int
	Summary string
}

func (e *ScanError) Error() string   { return e.Summary }
func Scan(string) (Text, *ScanError) { panic("skeleton") }
func (t Text) HasExpressions() bool  { panic("skeleton") }

// Root says what a variable is, which decides what a missing part of it means.
type Root int

const (
	Node  Root = iota // a child or external: missing means wait
	Input             // `schema`: missing means that the user must set it
	Local             // iterators, def values, `runtime`: missing is an error
)

// Variable is a name in scope.
type Variable struct {
	Name string
	Type *Type
	Root Root
}

// Environment compiles expressions over a set of variables. Safe for concurrent use; cheap to make (extends a shared base).
type Environment struct{ placeholder int }

func NewEnvironment(vars ...Variable) (*Environment, error) { panic("skeleton") }

// With gives an environment with more variables (iterators, self, each); inner names hide outer ones.
func (e *Environment) With(vars ...Variable) (*Environment, error) { panic("skeleton") }

// ProblemKind tells what is wrong with an expression.
type ProblemKind int

const (
	SyntaxProblem   ProblemKind = iota
	UnknownName                 // Name is the identifier, Nearest similar names in scope
	UnknownMember               // Name is the field, Nearest similar fields of the type
	UnknownFunction             // Name is the function
	TypeProblem                 // no such overload, mixed types …
	NotText                     // a part of text whose value has no text form (list, map, bytes, null, optional)
	TooComplex
)

// Problem is one fault of an expression, found before it runs.
type Problem struct {
	Kind       ProblemKind
	Offset     int // bytes from the start of the string that was scanned
	Name       string
	Nearest    []string
	Summary    string // one line for people; never cel-go's own caret drawing
	Suggestion string
}

// Compile checks a scanned string. Standalone text gives a program of the expression's own type, other text one of type string.
// All problems come at once. Programs are immutable and safe for concurrent use.
func (e *Environment) Compile(Text) (*Program, []Problem) { panic("skeleton") }

// Program is a checked string with expressions.
type Program struct{ placeholder int }

func (p *Program) Source() string          { panic("skeleton") } // as written, with ${ }
func (p *Program) Type() *Type             { panic("skeleton") }
func (p *Program) IsStandalone() bool      { panic("skeleton") }
func (p *Program) References() []Reference { panic("skeleton") } // by first appearance; every occurrence's path once

// Reference is one use of a variable by a program. Names bound inside the expression (comprehensions, cel.bind) are none.
type Reference struct {
	Name     string // the variable
	Path     string // what is read of it: "status.endpoint", `data["a.b"]`; empty for all of it
	Optional bool   // the first step is optional (X.?f, X[?k])
	Offset   int    // bytes from the start of the string
}

// Limits bound one evaluation. Zero values mean the API server's per-expression numbers.
type Limits struct {
	Cost uint64
}

// Vars holds the values by variable name: plain JSON values (map[string]any, []any, string, int64, float64, bool, nil;
// for def values and iterators also what Result.Value may hold). A name that is not in the map is not there yet.
type Vars map[string]any

// Result is the outcome of one evaluation; exactly one of its four forms.
type Result struct {
	Value   any       // plain: nil, bool, int64, uint64, float64, string, []byte, time.Time, time.Duration, []any, map[string]any
	Omitted bool      // optional.none() or omit(): leave the field, element or entry out
	Missing []Missing // not there yet; sorted, no duplicates
	Err     error     // *EvaluationError
}

// Missing is a value that is not there yet.
type Missing struct {
	Name     string // the variable
	Root     Root
	Path     string // "status.endpoint"; empty for the variable itself
	Declared bool   // the schema declares the field; false for a key of a map or of a dynamic part
}

func (m Missing) String() string { panic("skeleton") } // db.status.endpoint

// EvaluationError is an evaluation that fails until an input changes.
type EvaluationError struct {
	Source  string // the expression
	Summary string
	Limit   bool // the cost limit or the deadline stopped it
}

func (e *EvaluationError) Error() string { panic("skeleton") }

// Omit inside a Result.Value's list or map never occurs: nested omitted values are already left out.

func (p *Program) Eval(ctx context.Context, vars Vars, limits Limits) Result { panic("skeleton") }
