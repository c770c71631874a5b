package expr

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// ConditionType is the type of what runtime.newCondition gives: an object of type, status, reason and message.
func ConditionType() *Type { return conditionType }

var conditionType = ObjectOf(map[string]*Type{
	"type": Primitive(String), "status": Primitive(String), "reason": Primitive(String), "message": Primitive(String),
})

// conditionFunctions make status conditions: runtime.newCondition({type: "Ready", status: "True", …}); the keys of the
// map may stand without quotes. runtime.condition is the same.
func conditionFunctions() []cel.EnvOption {
	function := func(name string) []cel.EnvOption {
		full := "runtime." + name
		return []cel.EnvOption{
			cel.Macros(cel.ReceiverMacro(name, 1, func(factory cel.MacroExprFactory, target ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
				if target.Kind() != ast.IdentKind || target.AsIdent() != "runtime" || args[0].Kind() != ast.MapKind {
					return nil, nil
				}
				return factory.NewCall(full, quoteKeys(factory, args[0])), nil
			})),
			cel.Function(full, cel.Overload("plait_runtime_"+name,
				[]*cel.Type{cel.MapType(cel.StringType, cel.DynType)}, conditionType.cel, cel.UnaryBinding(newCondition))),
		}
	}
	return append(function("newCondition"), function("condition")...)
}

// quoteKeys makes identifiers that stand as keys of a map literal strings.
func quoteKeys(factory cel.MacroExprFactory, literal ast.Expr) ast.Expr {
	entries := literal.AsMap().Entries()
	quoted := make([]ast.EntryExpr, len(entries))
	for i, entry := range entries {
		e := entry.AsMapEntry()
		key := e.Key()
		if key.Kind() == ast.IdentKind {
			key = factory.NewLiteral(celtypes.String(key.AsIdent()))
		}
		quoted[i] = factory.NewMapEntry(key, e.Value(), e.IsOptional())
	}
	return factory.NewMap(quoted...)
}

var (
	conditionTypes   = regexp.MustCompile(`^([A-Za-z0-9][-A-Za-z0-9_.]*/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`)
	conditionReasons = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`)
)

// newCondition checks what a condition must hold. The reason is the type if it is not given.
func newCondition(value ref.Val) ref.Val {
	given, ok := value.(traits.Mapper)
	if !ok {
		return celtypes.MaybeNoSuchOverloadErr(value)
	}
	plain, _, err := (&plainer{}).plain(given)
	if err != nil {
		return celtypes.NewErr("a condition cannot hold this: %v", err)
	}
	fields, _ := plain.(map[string]any)
	condition := map[string]any{"type": "", "status": "", "reason": "", "message": ""}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		text, isText := fields[name].(string)
		if _, known := condition[name]; !known || !isText {
			return celtypes.NewErr("a condition has the fields type, status, reason and message, all of them strings; %s is not", name)
		}
		condition[name] = text
	}
	if condition["reason"] == "" {
		condition["reason"] = condition["type"]
	}
	if err := checkCondition(condition); err != nil {
		return celtypes.WrapErr(err)
	}
	return object{structure: conditionType.structure, data: condition}
}

func checkCondition(condition map[string]any) error {
	switch status := condition["status"]; status {
	case "True", "False", "Unknown":
	default:
		return fmt.Errorf(`the status of a condition is "True", "False" or "Unknown", and not %q`, status)
	}
	if name := fmt.Sprint(condition["type"]); !conditionTypes.MatchString(name) {
		return fmt.Errorf("the type of a condition is a word like Ready, and not %q", name)
	}
	if reason := fmt.Sprint(condition["reason"]); !conditionReasons.MatchString(reason) {
		return fmt.Errorf("the reason of a condition is one word like NotReady, and not %q", reason)
	}
	return nil
}
