package expr

import "github.com/google/cel-go/interpreter"

// Program is a checked string with expressions. Immutable and safe for concurrent use.
type Program struct {
	source     string
	standalone bool
	typ        *Type
	parts      []part
	references []Reference
}

// part is literal text or one planned expression.
type part struct {
	literal    string
	expression *expression // nil for literal text
}

// expression is one ${ }, checked and planned.
type expression struct {
	text   string // as written
	offset int    // bytes from the start of the string
	vars   map[string]Variable
	typ    *Type
	plan   interpreter.InterpretableV2
	calls  map[string]bool // names of the functions
	items  int             // of a list literal; -1 for anything else
	loops  bool            // has comprehensions, which look at the deadline; all else is short
}

// Source is the string as written, with ${ }.
func (p *Program) Source() string { return p.source }

// Type is the expression's own type if the program is standalone, else string.
func (p *Program) Type() *Type { return p.typ }

// IsStandalone tells whether the result keeps its type.
func (p *Program) IsStandalone() bool { return p.standalone }

// References are all uses of variables in order of appearance; every path of a variable once.
func (p *Program) References() []Reference { return p.references }

// Reference is one use of a variable by a program. Names bound inside the expression (comprehensions, cel.bind) are none.
type Reference struct {
	Name     string // the variable
	Path     string // what is read of it: "status.endpoint", `data["a.b"]`; empty for all of it
	Optional bool   // the first step is optional (X.?f, X[?k])
	Offset   int    // bytes from the start of the string
}
