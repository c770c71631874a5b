package expr

import (
	"context"
	"strings"
	"testing"
)

// Every row is an expression over testVars, where db has no status and web has little of it.
func TestAbsence(t *testing.T) {
	tests := []struct{ expression, want string }{
		// Missing at several depths, and the full path that is asked for.
		{`db.status`, `missing: db.status`},
		{`db.status.endpoint`, `missing: db.status.endpoint`},
		{`db.status.addresses[0].ip`, `missing: db.status.addresses[0].ip`},
		{`web.status.addresses[0].ip`, `"10.0.0.1"`},
		{`web.status.addresses[0].port`, `missing: web.status.addresses[0].port`},
		{`web.status.addresses[1].ip`, `missing: web.status.addresses[1].ip`},
		{`web.status.addresses[-1].ip`, `error: evaluating "web.status.addresses[-1].ip": index out of bounds: -1`},
		{`db.data["no.key"]`, `missing: db.data["no.key"]`},
		{`db.data[item]`, `missing: db.data.it`},
		{`db.data[web.status.endpoint]`, `missing: web.status.endpoint`},
		{`web.status.free.x.y`, `missing: web.status.free.x.y`},
		{`raw.spec.b`, `missing: raw.spec.b`},
		{`raw.spec.b.c[0]`, `missing: raw.spec.b.c[0]`},
		{`raw.spec.a`, `1`},
		{`schema.spec.replicas`, `missing: schema.spec.replicas`},
		{`schema.spec.names[3]`, `missing: schema.spec.names[3]`},
		{`dbs[0].metadata.name`, `"one"`},
		{`dbs[0].status.endpoint`, `missing: dbs[0].status.endpoint`},
		{`dbs[1].status.endpoint`, `missing: dbs[1].status.endpoint`},
		// Presence and optional access see what is missing.
		{`has(db.status)`, `false`},
		{`has(db.status.endpoint)`, `missing: db.status`},
		{`has(web.status.addresses)`, `true`},
		{`has(web.status.endpoint)`, `false`},
		{`has(db.data.key)`, `true`},
		{`has(db.data.other)`, `false`},
		{`has(db.metadata.labels) && "a" in db.metadata.labels`, `true`},
		{`db.?status.?endpoint.orValue("none")`, `"none"`},
		{`db.?status.endpoint.orValue("none")`, `"none"`},
		{`db.status.?endpoint.orValue("none")`, `missing: db.status`},
		{`db.?status.?endpoint`, `omitted`},
		{`db.data[?"no"].orValue("none")`, `"none"`},
		{`web.status.addresses[?4].?ip.orValue("none")`, `"none"`},
		{`db.?status.?endpoint.orValue(web.status.endpoint)`, `missing: web.status.endpoint`},
		{`db.?metadata.?name.orValue(web.status.endpoint)`, `"db"`},
		{`db.?status.?endpoint.or(web.?metadata.?name).orValue("none")`, `"none"`},
		// Logic needs what it needs and no more.
		{`db.status.ready || true`, `true`},
		{`true || db.status.ready`, `true`},
		{`db.status.ready || false`, `missing: db.status.ready`},
		{`db.status.ready && false`, `false`},
		{`db.status.ready && web.status.ready`, `missing: db.status.ready, web.status.ready`},
		{`!db.status.ready`, `missing: db.status.ready`},
		{`true ? 1 : db.status.succeeded`, `1`},
		{`false ? 1 : db.status.succeeded`, `missing: db.status.succeeded`},
		{`db.status.ready ? 1 : 2`, `missing: db.status.ready`},
		{`(true ? db.status : web.status).endpoint`, `missing: db.status`},
		{`(false ? db.status : web.status).addresses[0].ip`, `"10.0.0.1"`},
		{`db.status.succeeded == 1`, `missing: db.status.succeeded`},
		{`db.status.succeeded + 1 > 2`, `missing: db.status.succeeded`},
		{`db.status.endpoint == web.status.endpoint`, `missing: db.status.endpoint`},
		{`{"a": web.status.free} == {"a": {}}`, `true`},
		{`db.data == {"a.b": "dotted", "key": "value"}`, `true`},
		{`{"a.b": "dotted", "key": "value"} == db.data`, `true`},
		{`{"metadata": {"name": "one"}} == dyn(dbs[0])`, `true`},
		// Calls, literals and bindings.
		{`"http://" + db.status.endpoint`, `missing: db.status.endpoint`},
		{`size(web.status.addresses) > 0`, `true`},
		{`size(db.status.addresses)`, `missing: db.status.addresses`},
		{`[db.status.endpoint, "x"]`, `missing: db.status.endpoint`},
		{`{"a": db.status.endpoint}`, `missing: db.status.endpoint`},
		{`cel.bind(s, db.status, s.endpoint)`, `missing: db.status.endpoint`},
		{`cel.bind(s, db.status, true)`, `true`},
		{`cel.bind(s, web.status, s.addresses[0].port)`, `missing: web.status.addresses[0].port`},
		{`cel.bind(m, db.metadata, m.labels.z)`, `missing: db.metadata.labels.z`},
		// Comprehensions of both kinds.
		{`db.status.addresses.map(a, a.ip)`, `missing: db.status.addresses`},
		{`web.status.addresses.map(a, a.ip)`, `["10.0.0.1"]`},
		{`web.status.addresses.map(a, a.port)`, `missing: web.status.addresses[*].port`},
		{`web.status.addresses.exists(a, a.port == 1)`, `missing: web.status.addresses[*].port`},
		{`web.status.addresses.exists(a, a.port == 1 || a.ip == "10.0.0.1")`, `true`},
		{`web.status.addresses.all(a, has(a.port))`, `false`},
		{`web.status.addresses.filter(a, a.ip == "x")[0].ip`, `missing: web.status.addresses`},
		{`web.status.conditions.filter(c, c.type == "Ready")[0].status`, `"True"`},
		{`web.status.conditions.filter(c, c.type == "Other")[0].status == "True"`, `missing: web.status.conditions`},
		{`web.status.addresses.transformList(i, a, a.port)`, `missing: web.status.addresses[*].port`},
		{`web.status.addresses.transformList(i, a, i)`, `[0]`},
		{`db.metadata.labels.transformMap(k, v, v + "!")`, `{"a":"1!","b":"2!","c":"3!"}`},
		{`db.metadata.labels.map(k, k)`, `["a","b","c"]`},
		{`dbs.map(d, d.status.endpoint)`, `missing: dbs[*].status.endpoint`},
		{`schema.spec.names.map(n, db.data[n])`, `missing: db.data.a`},
		// What is no absence stays an error.
		{`1 / (size(item) - 2)`, `error: evaluating "1 / (size(item) - 2)": division by zero`},
		{`{item: 1}.b`, `error: evaluating "{item: 1}.b": no such key: b`},
		{`[1, 2][size(item) + 3]`, `error: evaluating "[1, 2][size(item) + 3]": index out of bounds: 5`},
		{`raw.spec.a.b`, `error: evaluating "raw.spec.a.b": no such key: b`},
		{`schema.spec.names.filter(n, n == "z")[0]`, `error: evaluating "schema.spec.names.filter(n, n == \"z\")[0]": index out of bounds: 0`},
		{`json.unmarshal("{\"" + item + "\": 1}").x`, `error: evaluating "json.unmarshal(\"{\\\"\" + item + \"\\\": 1}\").x": no such key: x`},
		{`string(db.secret.bad)`, `error: evaluating "string(db.secret.bad)": a value of format byte is no valid base64: illegal base64 data at input byte 0`},
	}
	env, vars := testEnvironment(t), testVars()
	for _, test := range tests {
		t.Run(test.expression, func(t *testing.T) {
			program := compile(t, env, "${"+test.expression+"}")
			if got := describe(program.Eval(context.Background(), vars, Limits{})); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// A variable without a value is missing as a whole, with the path that is asked of it.
func TestAbsentVariables(t *testing.T) {
	tests := []struct{ text, want string }{
		{`${db.status.endpoint}`, `missing: db.status.endpoint`},
		{`${db}`, `missing: db`},
		{`${db.metadata.labels["x.y"]}`, `missing: db.metadata.labels["x.y"]`},
		{`${db.?status.endpoint}`, `missing: db`},
		{`${has(db.status)}`, `missing: db`},
		{`a ${db.metadata.name} b ${web.metadata.name}`, `missing: db.metadata.name, web.metadata.name`},
		{`${dbs.map(d, d.metadata.name)}`, `missing: dbs`},
		{`${dbs[0].metadata.name}`, `missing: dbs[0].metadata.name`},
		{`${true || db.status.ready}`, `true`},
		{`${cel.bind(s, db.status, s.endpoint)}`, `missing: db.status.endpoint`},
	}
	env := testEnvironment(t)
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			if got := describe(compile(t, env, test.text).Eval(context.Background(), Vars{}, Limits{})); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestMissingTellsRootAndDeclaration(t *testing.T) {
	tests := []struct {
		expression string
		root       Root
		declared   bool
	}{
		{`db.status.endpoint`, Node, true},
		{`db.status.addresses[0].ip`, Node, true},
		{`db.data.x`, Node, false},
		{`web.status.free.x`, Node, false},
		{`raw.status`, Node, false},
		{`schema.spec.replicas`, Input, true},
	}
	env, vars := testEnvironment(t), testVars()
	for _, test := range tests {
		r := compile(t, env, "${"+test.expression+"}").Eval(context.Background(), vars, Limits{})
		if len(r.Missing) != 1 || r.Missing[0].Root != test.root || r.Missing[0].Declared != test.declared {
			t.Errorf("%s: got %+v, want root %d and declared %t", test.expression, r.Missing, test.root, test.declared)
		}
	}
}

// A soft reference to an excluded node reads from an empty object.
func TestExcludedNodeIsEmpty(t *testing.T) {
	env, vars := testEnvironment(t), Vars{"db": map[string]any{}}
	for text, want := range map[string]string{
		`${db.?metadata.?name.orValue("none")}`: `"none"`,
		`${db.?spec.?ttl}`:                      `omitted`,
		`n=${db.?metadata.?name.orValue("no")}`: `"n=no"`,
	} {
		if got := describe(compile(t, env, text).Eval(context.Background(), vars, Limits{})); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestAbsentOptionalInTextIsAnError(t *testing.T) {
	env, vars := testEnvironment(t), testVars()
	r := compile(t, env, `x ${item == "it" ? omit() : "y"}`).Eval(context.Background(), vars, Limits{})
	if r.Err == nil || !strings.Contains(r.Err.Error(), "orValue") {
		t.Errorf("got %s, want an error that suggests orValue", describe(r))
	}
}
