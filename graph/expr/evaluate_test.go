package expr

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	tests := []struct{ text, want string }{
		{`${1}${2}`, `"12"`},
		{`a${"b"}c`, `"abc"`},
		{`n=${-5} u=${uint(7)} b=${true}`, `"n=-5 u=7 b=true"`},
		{`d=${1.0}`, `"d=1"`},
		{`d=${12345678.5}`, `"d=12345678.5"`},
		{`d=${0.0000025}`, `"d=0.0000025"`},
		{`d=${1e20}`, `"d=100000000000000000000"`},
		{`d=${db.spec.ratio}`, `"d=3"`},
		{`ttl ${db.spec.ttl}`, `"ttl 1h30m0s"`},
		{`at ${db.metadata.creationTimestamp}`, `"at 2031-05-06T07:08:09Z"`},
		{`at ${timestamp("2031-05-06T09:08:09.5+02:00")}`, `"at 2031-05-06T07:08:09.5Z"`},
		{`p=${db.spec.port}`, `"p=http"`},
		{`Grüße ${item} – ${1}€`, `"Grüße it – 1€"`},
		{`$${HOME} ${item}`, `"${HOME} it"`},
		{`o=${raw.?spec.?a.orValue(0)}`, `"o=1"`},
		{`x ${raw.spec}`, `error: evaluating "raw.spec": a map has no text form; write json.marshal(…)`},
		{`x ${dyn([item])}`, `error: evaluating "dyn([item])": a list has no text form; write a join, as in list.join(","), or json.marshal(…)`},
		{`x ${dyn(bytes(item))}`, `error: evaluating "dyn(bytes(item))": a bytes has no text form; write string(…) for the text that the bytes are, or base64.encode(…)`},
		{`x ${1.0 / double(size(item) - 2)}`, `error: evaluating "1.0 / double(size(item) - 2)": +Inf is no number that can stand in text`},
		{`${1 / (size(item) - 2)} ${db.status.endpoint}`, `error: evaluating "1 / (size(item) - 2)": division by zero`},
		{`plain`, `"plain"`},
		{``, `""`},
	}
	env, vars := testEnvironment(t), testVars()
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			if got := describe(compile(t, env, test.text).Eval(context.Background(), vars, Limits{})); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestValues(t *testing.T) {
	at := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	tests := []struct {
		expression string
		want       any
	}{
		{`1 + 1`, int64(2)},
		{`db.spec.replicas`, int64(2)},
		{`db.spec.ratio`, 3.0},
		{`db.spec.ratio * 1.5`, 4.5},
		{`7 * 2 / 3`, int64(4)},
		{`uint(3)`, uint64(3)},
		{`null`, nil},
		{`optional.of("x")`, "x"},
		{`db.secret.user`, []byte("admin")},
		{`string(db.secret.user)`, "admin"},
		{`size(db.secret.user)`, int64(5)},
		{`db.metadata.creationTimestamp`, at},
		{`db.spec.ttl`, 90 * time.Minute},
		{`[]`, []any{}},
		{`{}`, map[string]any{}},
		{`["a", omit(), "b", optional.none()]`, []any{"a", "b"}},
		{`{"a": omit(), "b": [omit()], "c": optional.of(1)}`, map[string]any{"b": []any{}, "c": int64(1)}},
		{`[null]`, []any{nil}},
		{`db.metadata`, map[string]any{
			"name": "db", "creationTimestamp": "2031-05-06T07:08:09Z", "labels": map[string]any{"a": "1", "b": "2", "c": "3"}}},
		{`db.spec.free`, map[string]any{"k": nil}},
		{`db.spec.any[0].a`, int64(1)},
		{`db.spec.open.mode + string(db.spec.open.extra)`, "on1"},
		{`db.spec.in + db.spec.namespace`, "withinspaces"},
		{`true ? "a" : 1`, "a"},
		{`false ? "a" : 1`, int64(1)},
		{`{"b": 1, "a": 2}.map(k, k)`, []any{"a", "b"}},
		{`{"b": 1, "a": 2}.transformList(k, v, k + string(v))`, []any{"a2", "b1"}},
		{`json.unmarshal("{\"z\":1,\"y\":2,\"x\":3}").map(k, k)`, []any{"x", "y", "z"}},
		{`db.secret.transformList(k, v, k == "user" ? string(v) : k)`, []any{"bad", "admin"}},
		{`dbs.map(d, d.metadata.name)`, []any{"one"}},
		{`dbs.transformList(i, d, string(i) + d.metadata.name)`, []any{"0one"}},
	}
	env, vars := testEnvironment(t), testVars()
	vars["db"].(map[string]any)["secret"] = map[string]any{"user": "YWRtaW4=", "bad": "eA=="}
	for _, test := range tests {
		t.Run(test.expression, func(t *testing.T) {
			r := compile(t, env, "${"+test.expression+"}").Eval(context.Background(), vars, Limits{})
			if r.Err != nil || r.Missing != nil || r.Omitted {
				t.Fatal(describe(r))
			}
			if diff := cmp.Diff(test.want, r.Value); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEvaluationErrors(t *testing.T) {
	tests := []struct{ expression, want string }{
		{`{1: "a"}`, `the key 1 of a map is a int; keys must be strings`},
		{`url("https://a")`, `has no JSON form: call string(…)`},
		{`[quantity("1")]`, `has no JSON form`},
		{`int("x" + item)`, `type conversion error`},
		{`raw.spec + 1`, `no such overload`},
		{`lists.range(2000000)`, `longer than 1000000 elements`},
		{`"aaaaaaaaaa".replace("a", raw.long).replace("b", raw.long)`, `too large`},
		{`lists.range(100).map(i, raw.long).join("")`, `too large`},
		{`"%.1000000f".format([double(size(item))])`, `three digits`},
		{`lists.range(1001).map(i, raw.list).flatten()`, `longer than 1000000`},
		{`lists.range(5000).distinct()`, `too long to compare`},
		{doubling("a + a", 40), `longer than 1000000 elements`},
		{doubling("[a, a]", 40), `too large`},
		{doubling("[a, a]", 40) + " == " + doubling("[a, a]", 40), `too large to compare`},
		{doubling("[a, a]", 40) + " != " + doubling("[a, a]", 40), `too large to compare`},
		{`json.marshal(` + doubling("[a, a]", 40) + `)`, `too large`},
		{doubling(`{"l": {"v": a}, "r": {"v": a}}.deepMerge({"l": {"v": a}})`, 30), `too large`},
	}
	env, vars := testEnvironment(t), testVars()
	vars["raw"] = map[string]any{"spec": map[string]any{}, "long": strings.Repeat("b", 1<<20), "list": make([]any, 1000)}
	for _, test := range tests {
		t.Run(shorten(test.expression, 50), func(t *testing.T) {
			start := time.Now()
			r := compile(t, env, "${"+test.expression+"}").Eval(context.Background(), vars, Limits{Cost: 100_000_000, Time: time.Minute})
			failure := &EvaluationError{}
			if !errors.As(r.Err, &failure) || !strings.Contains(failure.Summary, test.want) || failure.Source != test.expression {
				t.Errorf("got %s, want %s", shorten(describe(r), 300), test.want)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("took %s", took)
			}
		})
	}
}

// doubling nests cel.bind so that a value is put together with itself n times.
func doubling(step string, n int) string {
	return strings.Repeat("cel.bind(a, ", n) + "[1]" + strings.Repeat(", "+step+")", n)
}

func TestLimits(t *testing.T) {
	env := testEnvironment(t)
	costly := compile(t, env, `n=${lists.range(4000).map(a, lists.range(4000).filter(b, b > a).size()).size()}`)
	r := costly.Eval(context.Background(), Vars{}, Limits{})
	failure := &EvaluationError{}
	if !errors.As(r.Err, &failure) || !failure.Limit || !strings.Contains(failure.Error(), "lists.range") {
		t.Errorf("the cost limit gives %s", describe(r))
	}
	if r := compile(t, env, `${lists.range(100).map(a, a * 2).sum()}`).Eval(context.Background(), Vars{}, Limits{}); describe(r) != "9900" {
		t.Errorf("a cheap loop gives %s", describe(r))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	for name, r := range map[string]Result{
		"the context": costly.Eval(ctx, Vars{}, Limits{Cost: 1 << 60}),
		"the limit":   costly.Eval(context.Background(), Vars{}, Limits{Cost: 1 << 60, Time: 20 * time.Millisecond}),
	} {
		if !errors.As(r.Err, &failure) || !failure.Limit || !strings.Contains(failure.Summary, "deadline") {
			t.Errorf("the deadline of %s gives %s", name, describe(r))
		}
	}
}

func TestEvaluationChangesNothing(t *testing.T) {
	env, vars := testEnvironment(t), testVars()
	r := compile(t, env, `${db.metadata}`).Eval(context.Background(), vars, Limits{})
	r.Value.(map[string]any)["labels"].(map[string]any)["a"] = "changed"
	compile(t, env, `${db.metadata.labels.merge({"x": "y"})}`).Eval(context.Background(), vars, Limits{})
	if diff := cmp.Diff(testVars(), vars); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkEval(b *testing.B) {
	env, vars := testEnvironment(b), testVars()
	for name, text := range map[string]string{
		"path":    `${db.metadata.name}`,
		"missing": `${db.status.endpoint}`,
		"text":    `http://${db.metadata.name}.${db.spec.namespace}.svc:${db.spec.port}/`,
		"loop":    `${web.status.conditions.exists(c, c.type == "Ready" && c.status == "True")}`,
		"object":  `${db.metadata}`,
	} {
		program := compile(b, env, text)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r := program.Eval(context.Background(), vars, Limits{}); r.Err != nil {
					b.Fatal(r.Err)
				}
			}
		})
	}
}
