package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/plait-run/plait/graph/expr"
)

// section is a group of functions in the reference.
type section struct {
	title     string
	intro     string // may be empty
	functions []function
}

// function is one row: a function, what it gives, and an example with its value.
type function struct {
	name    string
	gives   string
	example string
	value   string
}

func sections() []section { return slices.Concat(general, data, kubernetes) }

// aliases are names that a reader does not need: other spellings of functions that are explained.
var aliases = []string{"bind", "greatest", "least"}

const functionsIntro = `# Functions

Every function that expressions may use, with an example and its value. Examples read an object ` + "`deployment`" + ` with
three replicas, all of them available. Operators, literals and macros are those of [CEL](https://cel.dev).

Each value is checked by a test.
`

// functionsPage is the reference of functions.
func functionsPage() string {
	var b strings.Builder
	b.WriteString(generated + functionsIntro)
	for _, s := range sections() {
		fmt.Fprintf(&b, "\n## %s\n\n", s.title)
		if s.intro != "" {
			b.WriteString(s.intro + "\n\n")
		}
		b.WriteString("| function | gives | example | value |\n|---|---|---|---|\n")
		for _, f := range s.functions {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", f.name, f.gives, code(f.example), code(f.value))
		}
	}
	return b.String()
}

// code is text in the cell of a table.
func code(text string) string { return "`" + strings.ReplaceAll(text, "|", `\|`) + "`" }

// deployment is the object that examples read.
var deployment = map[string]any{
	"apiVersion": "apps/v1", "kind": "Deployment",
	"metadata": map[string]any{"name": "web", "generation": int64(1)},
	"spec":     map[string]any{"replicas": int64(3)},
	"status": map[string]any{
		"observedGeneration": int64(1), "replicas": int64(3), "updatedReplicas": int64(3), "readyReplicas": int64(3), "availableReplicas": int64(3),
		"conditions": []any{map[string]any{"type": "Available", "status": "True"}},
	},
}

// evaluate gives the value of an expression as the reference shows it.
func evaluate(ctx context.Context, expression string) (string, error) {
	env, err := expr.NewEnvironment(expr.Variable{Name: "deployment", Type: expr.DynamicType()})
	if err != nil {
		return "", err
	}
	text, fault := expr.Scan("${" + expression + "}")
	if fault != nil {
		return "", fault
	}
	program, problems := env.Compile(text) //nolint:contextcheck // what it tries of constants has limits of its own
	if len(problems) > 0 {
		return "", fmt.Errorf("compiling %q: %s", expression, problems[0])
	}
	result := program.Eval(ctx, expr.Vars{"deployment": deployment}, expr.Limits{})
	switch {
	case result.Err != nil:
		return "", result.Err
	case len(result.Missing) > 0:
		return "", fmt.Errorf("evaluating %q: %v is missing", expression, result.Missing)
	case result.Omitted:
		return "nothing", nil
	}
	return shown(result.Value)
}

func shown(value any) (string, error) {
	switch v := value.(type) {
	case []byte:
		return fmt.Sprintf("b%q", v), nil
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano), nil
	case time.Duration:
		return v.String(), nil
	}
	data, err := json.Marshal(value)
	if err != nil {
		return "", fmt.Errorf("writing a value: %w", err)
	}
	return string(data), nil
}
