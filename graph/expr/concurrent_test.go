package expr

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

// One environment compiles, and one program runs, in many goroutines at once; the results are always the same.
func TestConcurrentUse(t *testing.T) {
	env, vars := testEnvironment(t), testVars()
	shared := compile(t, env, `${db.metadata.labels.map(k, k + db.metadata.labels[k]).join(",")}`)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 20 {
				inner, err := env.With(Variable{Name: fmt.Sprintf("v%d", i), Type: Primitive(Int), Root: Local})
				if err != nil {
					t.Error(err)
					return
				}
				text, _ := Scan(fmt.Sprintf("${v%d + %d + size(%s.metadata.labels)}", i, n, []string{"db", "web"}[n%2]))
				if _, problems := inner.Compile(text); len(problems) > 0 {
					t.Error(problems)
				}
				if _, problems := env.Compile(scan(t, `${true ? web.spec.replicas : "x"}`)); len(problems) > 0 {
					t.Error(problems)
				}
				if got := describe(shared.Eval(context.Background(), vars, Limits{})); got != `"a1,b2,c3"` {
					t.Errorf("got %s", got)
				}
			}
		})
	}
	all.Wait()
}

// Compiling gives the same every time, problems included.
func TestDeterminism(t *testing.T) {
	env := testEnvironment(t)
	for _, text := range []string{
		`${wbe + dbx + db.spec.replcas}`, `${db.spec.namez} ${uperAscii(1)}`, `${true ? 1 : ["a"]}`, `${{"b": db.spec.in, "a": web.spec.in}}`,
	} {
		var first string
		for range 50 {
			program, problems := env.Compile(scan(t, text))
			got := fmt.Sprint(problems)
			if program != nil {
				got += fmt.Sprint(program.Type(), program.References())
			}
			if first == "" {
				first = got
			}
			if got != first {
				t.Fatalf("%s: %s and %s", text, first, got)
			}
		}
	}
}
