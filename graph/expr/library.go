package expr

import (
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/functions"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/interpreter"
	k8slibrary "k8s.io/apiserver/pkg/cel/library"
)

// library is what all environments share: the parser, the functions, and the interpreter that plans programs.
type library struct {
	parser      *cel.Env
	base        *checker.Env
	container   *containers.Container
	provider    celtypes.Provider
	functions   map[string]*decls.FunctionDecl
	interpreter interpreter.Interpreter
	tracker     *interpreter.CostTracker
}

var sharedLibrary = sync.OnceValues(newLibrary)

// parser limits: longer or deeper expressions are too complex.
const (
	maxExpressionRunes = 64 * 1024
	maxNesting         = 100
)

func newLibrary() (*library, error) {
	env, err := cel.NewEnv(libraryOptions()...)
	if err != nil {
		return nil, err
	}
	lib := &library{
		parser: env, container: env.Container, functions: env.Functions(),
		provider: provider{env.CELTypeProvider()},
	}
	if lib.base, err = checker.NewEnv(lib.container, lib.provider); err != nil {
		return nil, err
	}
	dispatcher := interpreter.NewDispatcher()
	for _, function := range lib.functions {
		if !function.IsDeclarationDisabled() {
			if err := lib.base.AddFunctions(function); err != nil {
				return nil, err
			}
		}
		bindings, err := function.Bindings()
		if err != nil {
			return nil, err
		}
		if err := dispatcher.Add(guarded(function.Name(), bindings)...); err != nil {
			return nil, err
		}
	}
	if err := dispatcher.Add(&functions.Overload{Operator: inKeyOrder, Unary: keyOrder}); err != nil {
		return nil, err
	}
	adapter := env.CELTypeAdapter()
	attributes := interpreter.NewAttributeFactory(lib.container, adapter, lib.provider)
	lib.interpreter = interpreter.NewInterpreter(dispatcher, lib.container, lib.provider, adapter, attributes)
	lib.tracker, err = interpreter.NewCostTracker(costs{}, interpreter.PresenceTestHasCost(false))
	return lib, err
}

func libraryOptions() []cel.EnvOption {
	return []cel.EnvOption{
		cel.DefaultUTCTimeZone(true),
		cel.EnableIdentifierEscapeSyntax(),
		cel.ParserExpressionSizeLimit(maxExpressionRunes),
		cel.ParserRecursionLimit(2 * maxNesting),
		cel.OptionalTypes(),
		k8slibrary.URLs(), k8slibrary.Regex(), k8slibrary.Lists(), k8slibrary.Quantity(), k8slibrary.IP(),
		k8slibrary.CIDR(), k8slibrary.Format(), k8slibrary.SemverLib(k8slibrary.SemverVersion(1)),
		ext.Strings(), ext.Lists(), ext.Math(), ext.Sets(), ext.Encoders(),
		ext.Bindings(ext.BindingsVersion(0)), ext.TwoVarComprehensions(),
		cel.Lib(plaitLibrary{}),
	}
}

// plaitLibrary holds Plait's own functions.
type plaitLibrary struct{}

// CompileOptions declares the functions with their implementations.
func (plaitLibrary) CompileOptions() []cel.EnvOption {
	var options []cel.EnvOption
	for _, group := range [][]cel.EnvOption{
		documentFunctions(), hashFunctions(), randomFunctions(), listFunctions(), mapFunctions(), absenceFunctions(),
		conditionFunctions(), readyFunctions(),
	} {
		options = append(options, group...)
	}
	return options
}

// ProgramOptions has none.
func (plaitLibrary) ProgramOptions() []cel.ProgramOption { return nil }

// newChecker gives a checker with all functions and no variables.
func (l *library) newChecker() (*checker.Env, error) {
	return checker.NewEnv(l.container, l.provider,
		checker.ValidatedDeclarations(l.base), checker.CrossTypeNumericComparisons(true))
}

// functionNames are all functions and macros as users write them, sorted.
func (l *library) functionNames() []string {
	names := []string{"cel.bind", "math.greatest", "math.least"}
	for name := range l.functions {
		if !strings.ContainsAny(name, "@_?!-") {
			names = append(names, name)
		}
	}
	for name := range macroUsage {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
