package expr

import (
	"cmp"
	"errors"

	celtypes "github.com/google/cel-go/common/types"
)

// Missing is a value that is not there yet.
type Missing struct {
	Name     string // the variable
	Root     Root
	Path     string // "status.endpoint"; empty for the variable itself
	Declared bool   // the schema declares the field; false for a key of a map or of a dynamic part
}

// String is the full path: db.status.endpoint.
func (m Missing) String() string { return joinPath(m.Name, m.Path) }

func compareMissing(a, b Missing) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path))
}

// missing reads what is not there from an unknown.
func (e *expression) missing(unknown *celtypes.Unknown) []Missing {
	var all []Missing
	for _, id := range unknown.IDs() {
		trails, _ := unknown.GetAttributeTrails(id)
		for _, trail := range trails {
			v := e.vars[trail.Variable()]
			all = append(all, Missing{
				Name: trail.Variable(), Root: v.Root, Path: formatPath(trail.QualifierPath()),
				Declared: v.Type != nil && v.Type.declaresPath(trail.QualifierPath()),
			})
		}
	}
	return all
}

// declaresPath tells whether every step of a path is a field that the schema names, or an element of a list.
func (t *Type) declaresPath(path []any) bool {
	at := t.structure
	for _, step := range path {
		name, isName := step.(string)
		switch {
		case at.kind == List && (!isName || name == anyItem):
			at = at.elem
		case at.kind == Object && at.fields[name] != nil:
			at = at.fields[name]
		default:
			return false
		}
	}
	return true
}

// explainRuntime is an error of an evaluation for people.
func explainRuntime(err *celtypes.Err) string {
	if errors.Is(err, noSuchOverload) {
		return "no such overload: a function or operator was given a value of a type that it does not take"
	}
	return withoutObjectNames(err.Error())
}

var noSuchOverload, _ = celtypes.NoSuchOverloadErr().(*celtypes.Err)
