package expr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTypeOfProgram(t *testing.T) {
	tests := []struct{ text, want string }{
		{`${1}`, "int"},
		{`${1} `, "int"},
		{`x${1}`, "string"},
		{`plain`, "string"},
		{`${1.5}`, "double"},
		{`${db.spec.replicas + 1}`, "int"},
		{`${db.spec.ratio * 1.5}`, "double"},
		{`${db.spec.ratio > 1}`, "bool"},
		{`${db.spec.template}`, "object"},
		{`${db.spec.open.mode}`, "string"},
		{`${db.spec.open.extra}`, "dyn"},
		{`${db.spec.free.a.b}`, "dyn"},
		{`${db.spec.names.map(n, n + "!")}`, "list(string)"},
		{`${db.metadata.labels.map(k, k)}`, "list(string)"},
		{`${db.secret.user}`, "bytes"},
		{`${db.metadata.creationTimestamp}`, "timestamp"},
		{`${db.spec.ttl}`, "duration"},
		{`${db.spec.port}`, "int or string"},
		{`${db.?spec.?replicas}`, "optional(int)"},
		{`${db.?spec.?replicas.orValue(1)}`, "int"},
		{`${true ? "a" : omit()}`, "string"},
		{`${true ? omit() : 3}`, "int"},
		{`${true ? 1 : "a"}`, "int or string"},
		{`${true ? 1 : 2.5}`, "int or double"},
		{`${true ? (false ? 1 : "x") : false}`, "int or string or bool"},
		{`${[1, "a"]}`, "list(dyn)"},
		{`${{"a": 1}}`, "map(string, int)"},
		{`${{"a": 1, "b": "x"}}`, "map(string, dyn)"},
		{`${true ? db.spec.template : web.spec.template}`, "object"},
		{`${runtime.newCondition({type: "A", "status": "True"})}`, "object"},
		{`${hash.sha256("a")}`, "bytes"},
		{`${raw}`, "dyn"},
		{`${db.spec.namespace + db.spec.in}`, "string"},
		{`${db.?spec.?in.orValue("x")}`, "string"},
		{`${db.spec.class == null || db.spec.class == "x"}`, "bool"},
	}
	env := testEnvironment(t)
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			program := compile(t, env, test.text)
			if got := program.Type().String(); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if program.Source() != test.text {
				t.Errorf("source is %q", program.Source())
			}
		})
	}
}

func TestProblems(t *testing.T) {
	tests := []struct {
		text string
		want []string // kind@offset name: text that must be there
	}{
		{`${wbe.metadata.name}`, []string{`name@2 wbe: unknown name "wbe"; Did you mean "web"?`}},
		{`n=${web.spec.replcas}`, []string{`member@12 replcas: web.spec has no field "replcas"; Did you mean "replicas"?`}},
		{`${schema.spec.other}`, []string{`member@13 other: schema.spec has no field "other"; its fields are any, class`}},
		{`${schema.stats}`, []string{`member@8 stats: Did you mean "status"?`}},
		{`${HOME}/bin`, []string{`name@2 HOME: for the literal text ${HOME} write $${HOME}`}},
		{`${nothing}`, []string{`name@2 nothing: in scope here: db, dbs, item, raw, schema, web`}},
		{`a ${wbe} b ${dbx.y}`, []string{`name@4 wbe: wbe`, `name@13 dbx: "db"`}},
		{`${wbe + dbx}`, []string{`name@2 wbe: wbe`, `name@8 dbx: dbx`}},
		{`${jsn.marshal(1)}`, []string{`function@6 jsn.marshal: "json.marshal"`}},
		{`${"a".uperAscii()}`, []string{`function@6 uperAscii: "upperAscii"`}},
		{`${sze(db.spec.names)}`, []string{`function@2 sze: Did you mean "size"?`}},
		{`${1 + "a"}`, []string{`type@4 _+_: the operator + does not take int and string; Convert the other side with string(…)`}},
		{`${1 + 1.5}`, []string{`type@4 _+_: double(…)`}},
		{`${"a" ? 1 : 2}`, []string{`type@6 _?_:_: the condition before ? must be bool, and it is string`}},
		{`${1 && true}`, []string{`type@`}},
		{`${db.metadata.name.foo}`, []string{`type@18 foo: db.metadata.name is a string, which has no fields`}},
		{`${db.spec["replicas"]}`, []string{`type@9 _[_]: an object cannot be indexed by a string; select a field of it with a dot`}},
		{`${db.spec["a.b"]}`, []string{"type@9 _[_]: in back quotes where it is no word: .`a.b`"}},
		{`${db.spec.template == 1}`, []string{`type@19 _==_: the operator == does not take object and int`}},
		{`${1.map(x, x)}`, []string{`type@2`}},
		{`${1.startsWith("a")}`, []string{`type@4 startsWith: startsWith() is no function of an int with arguments (string)`}},
		{`${size(1)}`, []string{`type@2 size: size() does not take the arguments (int)`}},
		{`${db.spec.names.sum()}`, []string{`type@16 sum: sum() is no function of a list(string)`}},
		{`${db.spec.names.map(n)}`, []string{`type@16 map: Write list.map(x, …)`}},
		{`${math.gratest(1, 2)}`, []string{`function@7 math.gratest: Did you mean "math.greatest"`}},
		{`${cel.bind(db)}`, []string{`type@6 bind: Write cel.bind(name, value, …)`}},
		{`${Foo{a: 1}}`, []string{`type@5 Foo: Write a map`}},
		{`${db.metadata == {"name": "a"}}`, []string{`type@14 _==_: Write dyn(…) around it`}},
		{`${"\x"}`, []string{`syntax@2 : unexpected`}},
		{`${"a" + }`, []string{`syntax@`}},
		{`${a b}`, []string{`syntax@4 : unexpected "b"`}},
		{`${1 = 1}`, []string{`syntax@4 : Write ==.`}},
		{`${true & true}`, []string{`syntax@7 : Write &&.`}},
		{`${true or true}`, []string{`syntax@7 : Write ||.`}},
		{`${not true}`, []string{`syntax@6 : unexpected`}},
		{`${(1}`, []string{`syntax@4 : missing ')' at the end`}},
		{`names ${db.spec.names}`, []string{`text@8 : list(string), which has no text form; Write a join`}},
		{`labels ${db.metadata.labels}`, []string{`text@9 : a map(string, string)`}},
		{`sum ${bytes(item)} `, []string{`text@6 : gives bytes, which has no text form; Write string(…)`}},
		{`x ${db.?spec.?replicas}`, []string{`text@4 : an optional(int), which has no text form; Write orValue(…)`}},
		{`x ${null}`, []string{`text@4 : null`}},
		{`x ${db.spec}`, []string{`text@4 : an object`}},
		{`x ${true ? 1 : [1]}`, []string{`text@4 : list(int)`}},
		{`${"a".matches("[")}`, []string{`fails@`}},
		{`${int("x")}`, []string{`fails@5 : int("x") fails whatever the inputs are: type conversion error`}},
		{`${1 / 0}`, []string{`fails@4 : 1 / 0 fails whatever the inputs are: division by zero`}},
		{`${"1" + string(1 / 0) + item}`, []string{`fails@6 : "1" + string(1 / 0) fails`}},
		{`${quantity("x").isGreaterThan(quantity(item))}`, []string{`fails@10 : quantity("x") fails whatever the inputs are: quantities must match`}},
		{`${db.spec.names.map(n, n)[[0][1]]}`, []string{`fails@29 : [0][1] fails`}},
		{`x ${1.0 / 0.0}`, []string{`fails@8 : +Inf is no number`}},
		{`ü ${"ü" + wbe}`, []string{`name@12 wbe: wbe`}},
		{`${db.spec.in + wbe}`, []string{`name@15 wbe: wbe`}},
		{`${` + strings.Repeat("(", 150) + "1" + strings.Repeat(")", 150) + `}`, []string{`complex@2 : nested more than 100 levels`}},
		{`${"` + strings.Repeat("a", 70000) + `"}`, []string{`complex@2 : longer than 64 KiB`}},
	}
	kinds := map[ProblemKind]string{
		SyntaxProblem: "syntax", UnknownName: "name", UnknownMember: "member", UnknownFunction: "function",
		TypeProblem: "type", NotText: "text", TooComplex: "complex", AlwaysFails: "fails",
	}
	env := testEnvironment(t)
	for _, test := range tests {
		t.Run(shorten(test.text, 40), func(t *testing.T) {
			program, problems := env.Compile(scan(t, test.text))
			if len(problems) != len(test.want) || program != nil {
				t.Fatalf("got %q, want %d problems", problems, len(test.want))
			}
			for i, p := range problems {
				place, text, _ := strings.Cut(test.want[i], ": ")
				got := fmt.Sprintf("%s@%d %s", kinds[p.Kind], p.Offset, p.Name)
				if !strings.HasPrefix(got, strings.TrimSuffix(place, " :")) || !strings.Contains(p.String(), text) {
					t.Errorf("got %s: %s, want %s", got, p, test.want[i])
				}
				if strings.ContainsAny(p.String(), "\n\t") || strings.Contains(p.String(), "object.") {
					t.Errorf("not a line for people: %q", p)
				}
			}
		})
	}
}

// What may not be needed, or costs much to try, is left to the evaluation.
func TestConstantsThatMayNotBeNeeded(t *testing.T) {
	env := testEnvironment(t)
	for _, text := range []string{
		`${item == "a" ? string(1 / 0) : "x"}`, `${item == "a" || 1 / 0 == 1}`, `${db.spec.?in.orValue(string(1 / 0))}`,
		`${db.spec.names.map(n, 1 / 0)}`, `${lists.range(2000000).size()}`, `${true || 1 / 0 == 1}`,
	} {
		compile(t, env, text)
	}
}

func TestReferences(t *testing.T) {
	tests := []struct {
		text string
		want []Reference
	}{
		{`${1}`, nil},
		{`${db}`, []Reference{{Name: "db", Offset: 2}}},
		{`${db.status.endpoint}`, []Reference{{Name: "db", Path: "status.endpoint", Offset: 2}}},
		{`a ${db.data["a.b"]} ${web.data["x"]}`, []Reference{
			{Name: "db", Path: `data["a.b"]`, Offset: 4}, {Name: "web", Path: `data.x`, Offset: 22}}},
		{`${dbs[0].metadata.name}`, []Reference{{Name: "dbs", Path: "[0].metadata.name", Offset: 2}}},
		{`${db.?metadata.?name.orValue("x")}`, []Reference{{Name: "db", Path: "metadata.name", Optional: true, Offset: 2}}},
		{`${db.metadata.?name}`, []Reference{{Name: "db", Path: "metadata.name", Offset: 2}}},
		{`${raw[?"x"]}`, []Reference{{Name: "raw", Path: "x", Optional: true, Offset: 2}}},
		{`${has(db.status.endpoint)}`, []Reference{{Name: "db", Path: "status.endpoint", Offset: 6}}},
		{`${db.data[item]}`, []Reference{{Name: "db", Path: "data", Offset: 2}, {Name: "item", Offset: 10}}},
		{`${db.metadata.name.startsWith(web.metadata.name)}`, []Reference{
			{Name: "db", Path: "metadata.name", Offset: 2}, {Name: "web", Path: "metadata.name", Offset: 30}}},
		{`${db.spec.replicas + db.spec.replicas}`, []Reference{{Name: "db", Path: "spec.replicas", Offset: 2}}},
		{`${schema.spec.names.map(web, web + "!").join(",")}`, []Reference{{Name: "schema", Path: "spec.names", Offset: 2}}},
		{`${schema.spec.names.map(n, db.data[n])}`, []Reference{
			{Name: "schema", Path: "spec.names", Offset: 2}, {Name: "db", Path: "data", Offset: 27}}},
		{`${cel.bind(db, web.status, db.endpoint)}`, []Reference{{Name: "web", Path: "status", Offset: 15}}},
		{`${web.spec.names.map(db, db) == [db.metadata.name]}`, []Reference{
			{Name: "web", Path: "spec.names", Offset: 2}, {Name: "db", Path: "metadata.name", Offset: 33}}},
		{`${db.metadata.labels.transformMap(web, item, item)}`, []Reference{{Name: "db", Path: "metadata.labels", Offset: 2}}},
		{`${{"base": db.metadata.name}}`, []Reference{{Name: "db", Path: "metadata.name", Offset: 11}}},
		{`${json.marshal(db.spec)}`, []Reference{{Name: "db", Path: "spec", Offset: 15}}},
		{`${math.greatest(db.spec.replicas, 2)}`, []Reference{{Name: "db", Path: "spec.replicas", Offset: 16}}},
		{`${runtime.newCondition({type: "A", status: item})}`, []Reference{{Name: "item", Offset: 43}}},
		{`${"db.status"}`, nil},
	}
	env := testEnvironment(t)
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			if diff := cmp.Diff(test.want, compile(t, env, test.text).References()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInnerNamesHideOuterOnes(t *testing.T) {
	outer := testEnvironment(t)
	inner, err := outer.With(Variable{Name: "db", Type: Primitive(Int), Root: Local}, Variable{Name: "each", Type: Primitive(String)})
	if err != nil {
		t.Fatal(err)
	}
	if got := compile(t, inner, `${db + 1}`).Type(); got.Kind() != Int {
		t.Errorf("db is %s inside", got)
	}
	if got := compile(t, outer, `${db}`).Type(); got.Kind() != Object {
		t.Errorf("db is %s outside", got)
	}
	if _, problems := outer.Compile(scan(t, `${each}`)); len(problems) != 1 {
		t.Errorf("each is known outside: %v", problems)
	}
	if _, err := outer.With(Variable{Name: "a", Type: Primitive(Int)}, Variable{Name: "a", Type: Primitive(Int)}); err == nil {
		t.Error("one name twice is no error")
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`db.status.endpoint`, `true ? 1 : "a"`, `[1].map(x, x)`, `db.?a[?"b"].orValue(1)`, `cel.bind(a, 1, a)`, `{"a": omit()}`,
		`runtime.newCondition({type: 1})`, `db.in`, `a.?in.true`, `"%d".format([1])`, `(true ? 1 : "x") == (false ? 1 : 2.0)`,
	} {
		f.Add(seed)
	}
	env := testEnvironment(f)
	vars := testVars()
	f.Fuzz(func(t *testing.T, expression string) {
		text, err := Scan("x ${" + expression + "}")
		if err != nil {
			return
		}
		program, problems := env.Compile(text)
		if (program == nil) != (len(problems) > 0) {
			t.Fatal("a program or problems, not both and not neither")
		}
		for _, p := range problems {
			if p.Summary == "" || strings.Contains(p.Summary, "\n") || p.Offset < 0 || p.Offset > len(text.Source()) {
				t.Fatalf("a bad problem: %+v", p)
			}
		}
		if program != nil {
			r := program.Eval(t.Context(), vars, Limits{Cost: 10000})
			if r.Err == nil && r.Missing == nil && r.Value == nil {
				t.Fatalf("no result: %+v", r)
			}
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	env := testEnvironment(b)
	for name, text := range map[string]string{
		"path":  `${db.status.endpoint}`,
		"text":  `http://${web.metadata.name}.${web.metadata.namespace}.svc:${web.spec.port}/`,
		"loop":  `${web.status.conditions.filter(c, c.type == "Ready")[0].status == "True"}`,
		"mixed": `${web.spec.paused ? 8080 : "http"}`,
	} {
		scanned := scan(b, text)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, problems := env.Compile(scanned); problems != nil {
					b.Fatal(problems)
				}
			}
		})
	}
}
