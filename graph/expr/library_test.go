package expr

import (
	"context"
	"strings"
	"testing"
)

func TestLibraries(t *testing.T) {
	tests := []struct{ expression, want string }{
		// Kubernetes.
		{`isIP("10.0.0.1")`, `true`},
		{`string(ip("10.0.0.1"))`, `"10.0.0.1"`},
		{`cidr("10.0.0.0/8").containsIP("10.1.2.3")`, `true`},
		{`url("https://h1.example.com:81/p").getHostname()`, `"h1.example.com"`},
		{`"a12b".find("[0-9]+")`, `"12"`},
		{`"a12b3".findAll("[0-9]+")`, `["12","3"]`},
		{`quantity("1500m").isGreaterThan(quantity("1"))`, `true`},
		{`semver("1.2.3").major()`, `1`},
		{`!format.dns1123Label().validate("shop").hasValue()`, `true`},
		{`format.dns1123Label().validate("-").hasValue()`, `true`},
		{`[1, 2, 3].sum()`, `6`},
		{`[3, 1].min() + [3, 1].max()`, `4`},
		{`["a", "b"].isSorted()`, `true`},
		{`["a", "b"].indexOf("b")`, `1`},
		// CEL's.
		{`"a,b".split(",")`, `["a","b"]`},
		{`["a", "b"].join("-")`, `"a-b"`},
		{`"abc".upperAscii() + "x".reverse()`, `"ABCx"`},
		{`"%s-%d-%.2f".format(["a", 1, 2.5])`, `"a-1-2.50"`},
		{`"hello".indexOf("l")`, `2`},
		{`" a ".trim()`, `"a"`},
		{`strings.quote("a\"b")`, `"\"a\\\"b\""`},
		{`math.greatest(4, 9)`, `9`},
		{`math.ceil(1.2)`, `2`},
		{`sets.contains([1, 2], [2])`, `true`},
		{`[[1], [2, 3]].flatten()`, `[1,2,3]`},
		{`[3, 1, 2].sort()`, `[1,2,3]`},
		{`[{"n": 2}, {"n": 1}].sortBy(e, e.n).map(e, e.n)`, `[1,2]`},
		{`[1, 1, 2].distinct()`, `[1,2]`},
		{`lists.range(3)`, `[0,1,2]`},
		{`[1, 2, 3].slice(1, 3)`, `[2,3]`},
		{`[1, 2].reverse()`, `[2,1]`},
		{`base64.encode(b"ab")`, `"YWI="`},
		{`string(base64.decode("YWI="))`, `"ab"`},
		{`cel.bind(x, 2, x * x)`, `4`},
		{`[1, 2].exists(i, v, i == 1 && v == 2)`, `true`},
		{`{"a": 1}.transformMapEntry(k, v, {string(v): k})`, `{"1":"a"}`},
		{`optional.of(1).optMap(x, x + 1).orValue(0)`, `2`},
		{`[1].first().orValue(0)`, `1`},
		{`1 < 1.5 && 2u > 1`, `true`},
		{`dyn(1) == 1.0`, `true`},
		{`duration("90m")`, `"1h30m0s"`},
		{`timestamp("2031-05-06T07:08:09Z").getHours()`, `7`},
		// Plait's.
		{`json.marshal({"b": [1, 2.5, "<&>"], "a": {"x": null}})`, `"{\"a\":{\"x\":null},\"b\":[1,2.5,\"<&>\"]}"`},
		{`json.marshal(db.metadata.labels)`, `"{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}"`},
		{`json.marshal([b"ab", duration("1h"), timestamp("2031-05-06T07:08:09Z")])`, `"[\"YWI=\",\"1h0m0s\",\"2031-05-06T07:08:09Z\"]"`},
		{`json.unmarshal("{\"a\": [1, 2.5, 9007199254740993]}").a`, `[1,2.5,9007199254740993]`},
		{`type(json.unmarshal("[1]")[0]) == int`, `true`},
		{`json.unmarshal("null") == null`, `true`},
		{`yaml.marshal({"b": 1, "a": ["x"]})`, `"a:\n- x\nb: 1\n"`},
		{`yaml.unmarshal("a: [1, x]").a`, `[1,"x"]`},
		{`base64.encode(hash.sha256("abc"))`, `"ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="`},
		{`base64.encode(hash.md5("abc"))`, `"kAFQmDzST7DWlj99KOF/cg=="`},
		{`base64.encode(hash.sha1(b"abc"))`, `"qZk+NkcGgWq6PiVxeFDCbJzQ2J0="`},
		{`base64.encode(hash.fnv64a("abc"))`, `"5x+iGQVBV0s="`},
		// The value is fixed for ever: names in clusters are made of it. Computed apart from this code.
		{`random.seededString(12, "a")`, `"bj86ffgskz5y"`},
		{`random.seededString(20, "a") != random.seededString(20, "b")`, `true`},
		{`size(random.seededString(256, "x"))`, `256`},
		{`random.seededInt(5, 6, "a")`, `5`},
		{`lists.range(200).all(i, random.seededInt(-3, 4, string(i)) >= -3 && random.seededInt(-3, 4, string(i)) < 4)`, `true`},
		{`lists.range(200).map(i, random.seededInt(0, 3, string(i))).distinct().sort()`, `[0,1,2]`},
		{`{"a": 1, "b": {"x": 1}}.merge({"b": {"y": 2}})`, `{"a":1,"b":{"y":2}}`},
		{`{"a": 1, "b": {"x": 1}}.deepMerge({"b": {"y": 2}, "c": [1]})`, `{"a":1,"b":{"x":1,"y":2},"c":[1]}`},
		{`db.metadata.labels.merge({"d": "4"}).size()`, `4`},
		{`lists.setAtIndex([1, 2, 3], 1, 9)`, `[1,9,3]`},
		{`lists.insertAtIndex([1, 2], 2, 9)`, `[1,2,9]`},
		{`lists.insertAtIndex([1, 2], 0, 9)`, `[9,1,2]`},
		{`lists.removeAtIndex([1, 2, 3], 0)`, `[2,3]`},
		{`runtime.newCondition({type: "Ready", status: "True", reason: "Open", message: "m"})`,
			`{"message":"m","reason":"Open","status":"True","type":"Ready"}`},
		{`runtime.condition({"type": "Ready", "status": "False"})`, `{"message":"","reason":"Ready","status":"False","type":"Ready"}`},
		{`runtime.newCondition(dyn({"type": "Ready", "status": "True"})).status`, `"True"`},
		{`omit()`, `omitted`},
	}
	env, vars := testEnvironment(t), testVars()
	for _, test := range tests {
		t.Run(test.expression, func(t *testing.T) {
			program := compile(t, env, "${"+test.expression+"}")
			for range 5 {
				if got := describe(program.Eval(context.Background(), vars, Limits{})); got != test.want {
					t.Fatalf("got  %s\nwant %s", got, test.want)
				}
			}
		})
	}
}

func TestLibraryErrors(t *testing.T) {
	tests := []struct{ expression, want string }{
		{`random.seededString(0, "a")`, `1 to 256`},
		{`random.seededString(257, "a")`, `1 to 256`},
		{`random.seededInt(3, 3, "a")`, `max must be greater than min`},
		{`lists.setAtIndex([1], 1, 2)`, `outside of a list of 1 elements`},
		{`lists.removeAtIndex([1], -1)`, `outside of a list`},
		{`json.unmarshal("{")`, `json.unmarshal: `},
		{`json.unmarshal("1 2")`, `more text`},
		{`json.marshal(url("https://a"))`, `no JSON form`},
		{`json.marshal(optional.none())`, `absent`},
		{`yaml.unmarshal("a: [")`, `yaml.unmarshal: `},
		{`runtime.newCondition({type: "Ready", status: "yes"})`, `"True", "False" or "Unknown"`},
		{`runtime.newCondition({type: "a b", status: "True"})`, `a word like Ready`},
		{`runtime.newCondition({type: "A", status: "True", reason: "no spaces"})`, `one word`},
		{`runtime.newCondition({type: "A", status: "True", other: "x"})`, `other is not`},
	}
	env := testEnvironment(t)
	for _, test := range tests {
		t.Run(test.expression, func(t *testing.T) {
			r := compile(t, env, "${item == 'it' ? dyn("+test.expression+") : null}").Eval(context.Background(), testVars(), Limits{})
			if r.Err == nil || !strings.Contains(r.Err.Error(), test.want) {
				t.Errorf("got %s, want %s", describe(r), test.want)
			}
			_, problems := env.Compile(scan(t, "${"+test.expression+"}"))
			if len(problems) != 1 || problems[0].Kind != AlwaysFails || !strings.Contains(problems[0].Summary, test.want) {
				t.Errorf("it is a constant, and the problems are %v", problems)
			}
		})
	}
}

// What a loop over long text costs does not depend on which function reads it.
func TestEveryFunctionHasItsPrice(t *testing.T) {
	env := testEnvironment(t)
	vars := Vars{"raw": map[string]any{"text": strings.Repeat("abc,", 50_000), "list": make([]any, 5000)}}
	for _, call := range []string{
		`json.marshal(raw.text)`, `yaml.marshal(raw.text)`, `hash.sha256(string(raw.text))`, `string(raw.text).reverse()`,
		`string(raw.text).charAt(3)`, `strings.quote(string(raw.text))`, `base64.encode(bytes(string(raw.text)))`,
		`string(raw.text).split(",")`, `string(raw.text).replace(",", ";")`, `size(string(raw.text))`,
		`"%s".format([raw.text])`, `dyn(raw.list).reverse()`, `lists.range(20000)`, `lists.setAtIndex(dyn(raw.list), 0, 1)`,
		`sets.contains(dyn(raw.list).slice(0, 1000), dyn(raw.list).slice(0, 1000))`, `{"a": raw.list}.merge({"b": raw.text})`,
	} {
		r := compile(t, env, "${lists.range(2000).map(i, "+call+").size()}").Eval(context.Background(), vars, Limits{})
		limit := r.Err != nil && strings.Contains(r.Err.Error(), "cost limit")
		if expensive := !strings.Contains(call, "merge"); limit != expensive {
			t.Errorf("%s: %s", call, shorten(describe(r), 200))
		}
	}
}
