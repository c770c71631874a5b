package expr

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/cel-go/checker"
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

// Environment compiles expressions over a set of variables. Immutable and safe for concurrent use; cheap to make, as
// every one shares the same library and refers to the one that it extends.
type Environment struct {
	library *library
	outer   *Environment
	own     map[string]Variable
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

// checkerFor declares the variables among these names. An expression uses few of the names in scope, which is why
// they are declared by expression and not by environment.
func (e *Environment) checkerFor(names []string) (*checker.Env, map[string]Variable, error) {
	used := make(map[string]Variable, len(names))
	var declarations []*decls.VariableDecl
	for _, name := range names {
		if v, ok := e.lookup(name); ok && used[name].Type == nil {
			used[name] = v
			declarations = append(declarations, decls.NewVariable(name, v.Type.cel))
		}
	}
	env, err := e.library.newChecker()
	if err == nil {
		err = env.AddIdents(declarations...)
	}
	return env, used, err
}
