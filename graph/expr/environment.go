package expr

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/decls"
)

// Root says what a variable is, which decides what a missing part of it means.
type Root int

// The kinds of variables.
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

// Environment compiles expressions over a set of variables. Safe for concurrent use; cheap to make, as
// every one shares the same library and refers to the one that it extends.
type Environment struct {
	library *library
	outer   *Environment
	own     map[string]Variable

	declared struct { // what CEL's checker was told so far
		sync.RWMutex
		checker *checker.Env
		names   map[string]bool
	}
	compiled sync.Map // programs by the string that they were made of
}

// NewEnvironment gives an environment with these variables and all libraries.
func NewEnvironment(vars ...Variable) (*Environment, error) {
	lib, err := sharedLibrary()
	if err != nil {
		return nil, fmt.Errorf("building the expression library: %w", err)
	}
	return (&Environment{library: lib}).With(vars...)
}

// With gives an environment with more variables (iterators, self, each); inner names hide outer ones.
func (e *Environment) With(vars ...Variable) (*Environment, error) {
	inner := &Environment{library: e.library, outer: e, own: make(map[string]Variable, len(vars))}
	for _, v := range vars {
		if v.Name == "" || v.Type == nil {
			return nil, fmt.Errorf("declaring variable %q: a variable has a name and a type", v.Name)
		}
		if _, taken := inner.own[v.Name]; taken {
			return nil, fmt.Errorf("declaring variable %q: the name is taken", v.Name)
		}
		inner.own[v.Name] = v
	}
	return inner, nil
}

// Retype gives one of the environment's own variables another type, and tells whether it could: not once an expression
// was checked that uses it. It is for building an environment whose variables get their types from expressions over
// it, before others share it.
func (e *Environment) Retype(name string, t *Type) bool {
	v, ok := e.own[name]
	if !ok || e.declared.names[name] {
		return false
	}
	v.Type = t
	e.own[name] = v
	return true
}

// lookup finds the innermost variable of a name.
func (e *Environment) lookup(name string) (Variable, bool) {
	for ; e != nil; e = e.outer {
		if v, ok := e.own[name]; ok {
			return v, true
		}
	}
	return Variable{}, false
}

// names are all variables in scope, sorted.
func (e *Environment) names() []string {
	all := map[string]bool{}
	for ; e != nil; e = e.outer {
		for name := range e.own {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// check types a parsed tree that uses these names. Names are declared when they are first used, as an expression uses
// few of those in scope; CEL's checker itself changes nothing, so that any number may check at once.
func (e *Environment) check(tree *ast.AST, src common.Source, names []string) (*ast.AST, *common.Errors, error) {
	if err := e.declare(names); err != nil {
		return nil, nil, err
	}
	e.declared.RLock()
	defer e.declared.RUnlock()
	checked, errs := checker.Check(tree, src, e.declared.checker)
	return checked, errs, nil
}

// declare tells the checker of the variables among names that it does not know.
func (e *Environment) declare(names []string) error {
	e.declared.Lock()
	defer e.declared.Unlock()
	if e.declared.checker == nil {
		fresh, err := e.library.newChecker()
		if err != nil {
			return err
		}
		e.declared.checker, e.declared.names = fresh, map[string]bool{}
	}
	for _, name := range names {
		v, ok := e.lookup(name)
		if !ok || e.declared.names[name] {
			continue
		}
		if err := e.declared.checker.AddIdents(decls.NewVariable(name, v.Type.cel)); err != nil {
			return err
		}
		e.declared.names[name] = true
	}
	return nil
}

// variables are those among names.
func (e *Environment) variables(names []string) map[string]Variable {
	used := make(map[string]Variable, len(names))
	for _, name := range names {
		if v, ok := e.lookup(name); ok {
			used[name] = v
		}
	}
	return used
}
