package explain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/inspect"
)

// well are reasons of conditions that are as they should be.
var well = []v1alpha1.Reason{
	v1alpha1.ReasonAvailable, v1alpha1.ReasonValid, v1alpha1.ReasonServed, v1alpha1.ReasonRunning, v1alpha1.ReasonAllowed,
	v1alpha1.ReasonActingAsSelf, v1alpha1.ReasonAsExpected, v1alpha1.ReasonMountReady,
	// These pass by themselves, and the message says it all.
	v1alpha1.ReasonNotEstablished, v1alpha1.ReasonCacheNotSynced, v1alpha1.ReasonNotChecked,
}

// TestEveryReasonHasACure reads the reasons from their source, so that a new one is not forgotten.
func TestEveryReasonHasACure(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../../api/v1alpha1/reasons.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	known := map[v1alpha1.Reason]bool{}
	for _, reason := range well {
		known[reason] = true
	}
	for _, table := range []map[key]cure{cures, providerCures} {
		for k := range table {
			known[k.reason] = true
		}
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		found++
		if reason, err := strconv.Unquote(literal.Value); err != nil || !known[v1alpha1.Reason(reason)] {
			t.Errorf("nothing says what to do about the reason %s", literal.Value)
		}
		return true
	})
	if found < len(well) {
		t.Errorf("only %d reasons were found", found)
	}
}

// TestCuresAreWhole fills every cure in.
func TestCuresAreWhole(t *testing.T) {
	all := []cure{notLookedAt, missing, look}
	for _, c := range stateCures {
		all = append(all, c)
	}
	for _, table := range []map[key]cure{cures, providerCures} {
		for _, c := range table {
			all = append(all, c)
		}
	}
	it := &inspect.Item{APIVersion: "example.com/v1", Kind: "Shop", Name: "s1", Namespace: "team", Account: "team/deployer", Group: "shops"}
	names := namesOf(it, it)
	for _, c := range all {
		next, command := names.fill(c.next), names.fill(c.command)
		for _, open := range []string{"{o", "{a", "{n", "{g", "{k"} {
			if strings.Contains(next+command, open) {
				t.Errorf("a placeholder is left: %s | %s", next, command)
			}
		}
		if !strings.HasSuffix(next, ".") && !strings.Contains(next, ": kubectl ") {
			t.Errorf("no sentence: %q", next)
		}
		if !strings.HasPrefix(command, "kubectl ") && !strings.HasPrefix(command, "plait ") {
			t.Errorf("no command: %q", command)
		}
	}
}

func TestArgument(t *testing.T) {
	for want, it := range map[string]inspect.Item{
		"configmap/a -n team":       {APIVersion: "v1", Kind: "ConfigMap", Name: "a", Namespace: "team"},
		"connection.plait.run/acme": {APIVersion: "plait.run/v1alpha1", Kind: "Connection", Name: "acme"},
	} {
		if got := argument(&it); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
