package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/version"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// reserved are words that CEL keeps for itself or for other languages; the compiler below takes them, and the API server
// does not.
var reserved = strings.Fields("in as break const continue else false for function if import let loop package namespace return true var void while null")

// TestExpressionsCompile compiles them with the API server's own compiler, for the oldest version that has admission
// policies and for the one that we build against.
func TestExpressionsCompile(t *testing.T) {
	forBoth := func(test func(p *admissionv1.ValidatingAdmissionPolicy, minor uint)) {
		for _, p := range []*admissionv1.ValidatingAdmissionPolicy{New(true), NewRelated(), Workspaces()} {
			test(p, 30)
			test(p, 37)
		}
	}
	forBoth(func(p *admissionv1.ValidatingAdmissionPolicy, minor uint) {
		compiler, err := plugincel.NewCompositedCompiler(environment.MustBaseEnvSet(version.MajorMinor(1, minor)))
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, result plugincel.CompilationResult) {
			t.Helper()
			if result.Error != nil {
				t.Errorf("1.%d: %s: %v", minor, what, result.Error)
			}
		}
		declared := plugincel.OptionalVariableDeclarations{HasAuthorizer: true}
		for _, m := range p.Spec.MatchConditions {
			accessor := (*matchconditions.MatchCondition)(&m)
			check(m.Expression, compiler.CompileCELExpression(accessor, declared, environment.NewExpressions))
		}
		for _, v := range p.Spec.Variables {
			if slices.Contains(reserved, v.Name) {
				t.Errorf("%s: the API server takes no variable called %s", p.Name, v.Name)
			}
			accessor := &validating.Variable{Name: v.Name, Expression: v.Expression}
			check(v.Name, compiler.CompileAndStoreVariable(accessor, declared, environment.NewExpressions))
		}
		for _, v := range p.Spec.Validations {
			check(v.Expression, compiler.CompileCELExpression(&validating.ValidationCondition{Expression: v.Expression}, declared, environment.NewExpressions))
			if v.MessageExpression != "" {
				accessor := &validating.MessageExpressionCondition{MessageExpression: v.MessageExpression}
				check(v.MessageExpression, compiler.CompileCELExpression(accessor, plugincel.OptionalVariableDeclarations{}, environment.NewExpressions))
			}
		}
	})
}

// TestAuthorizerIsAskedWithinItsBudget counts the questions about a group: 28 for the policy, two for an expression. That
// about revisions is not asked of groups.
func TestAuthorizerIsAskedWithinItsBudget(t *testing.T) {
	all := 0
	for _, v := range New(true).Spec.Validations {
		if strings.HasPrefix(v.Expression, "request.resource.resource != 'resourcegrouprevisions' || ") {
			continue
		}
		n := strings.Count(v.Expression, "authorizer.")
		if n > 2 {
			t.Errorf("%d questions in one expression: %s", n, v.Expression)
		}
		all += n
	}
	if all != 28 {
		t.Errorf("%d questions, want 28", all)
	}
}

func TestRequired(t *testing.T) {
	with, without := New(true), New(false)
	if n := len(with.Spec.Validations) - len(without.Spec.Validations); n != 1 {
		t.Fatalf("required adds %d validations, want 1", n)
	}
	with.Spec.Validations = append(with.Spec.Validations[:2:2], with.Spec.Validations[3:]...)
	if diff := cmp.Diff(without, with); diff != "" {
		t.Errorf("beside the missing map (-without +with):\n%s", diff)
	}
}

func TestBinding(t *testing.T) {
	for _, p := range []*admissionv1.ValidatingAdmissionPolicy{New(true), NewRelated(), Workspaces()} {
		if b := Binding(p.Name); b.Spec.PolicyName != p.Name || *p.Spec.FailurePolicy != "Fail" {
			t.Errorf("the binding is of %q, the policy is %q and fails by %v", b.Spec.PolicyName, p.Name, *p.Spec.FailurePolicy)
		}
	}
	p, b := New(true), Binding(Name)
	if diff := cmp.Diff("Deny", string(b.Spec.ValidationActions[0])); diff != "" || *p.Spec.FailurePolicy != "Fail" {
		t.Errorf("what is refused must be denied, faults included: %v, %s", *p.Spec.FailurePolicy, diff)
	}
}
