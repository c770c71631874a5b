package runtime

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/expr"
)

// fixture is a node as a test writes it. The kind of all objects is ConfigMap, with a status for the tests' sake.
type fixture struct {
	id, template, def             string // YAML
	external, selector            string // name or namespace/name; label value of `role`
	includeWhen, readyWhen        []string
	forEach                       [][2]string
	dependsOn                     []string
	kind                          string
	absent, secret, clusterScoped bool
}

var (
	textType = expr.Primitive(expr.String)
	metadata = expr.ObjectOf(map[string]*expr.Type{
		"name": textType, "namespace": textType, "labels": expr.MapOf(textType), "annotations": expr.MapOf(textType),
		"uid": textType, "resourceVersion": textType, "deletionTimestamp": textType,
	})
	objectType = expr.ObjectOf(map[string]*expr.Type{
		"apiVersion": textType, "kind": textType, "metadata": metadata, "data": expr.MapOf(textType),
		"binaryData": expr.MapOf(expr.Primitive(expr.Bytes)),
		"spec": expr.ObjectOf(map[string]*expr.Type{
			"count": expr.Primitive(expr.Int), "ratio": expr.Primitive(expr.Double), "any": expr.DynamicType(),
		}),
		"status": expr.ObjectOf(map[string]*expr.Type{"phase": textType, "endpoint": textType, "count": expr.Primitive(expr.Int)}),
	})
	instanceType = expr.ObjectOf(map[string]*expr.Type{
		"apiVersion": textType, "kind": textType, "metadata": metadata,
		"spec": expr.ObjectOf(map[string]*expr.Type{
			"name": textType, "motto": textType, "enabled": expr.Primitive(expr.Bool), "count": expr.Primitive(expr.Int),
			"names": expr.ListOf(textType), "any": expr.DynamicType(),
		}),
	})
)

// builder makes a graph of fixtures, as the compiler would of a document without mistakes.
type builder struct {
	t     *testing.T
	nodes []fixture
	env   *expr.Environment
}

func newGraph(t *testing.T, status string, nodes ...fixture) *graph.Graph {
	t.Helper()
	b := &builder{t: t, nodes: nodes}
	vars := []expr.Variable{{Name: "schema", Type: instanceType, Root: expr.Input}}
	for _, f := range nodes {
		typ, root := objectType, expr.Node
		if f.def != "" {
			typ, root = expr.DynamicType(), expr.Local
		}
		if len(f.forEach) > 0 || f.selector != "" {
			typ = expr.ListOf(typ)
		}
		vars = append(vars, expr.Variable{Name: f.id, Type: typ, Root: root})
	}
	b.env = b.with(nil, vars...)
	spec := graph.Spec{Name: "test", Namespaced: true, Instance: instanceType}
	for i, f := range nodes {
		spec.Nodes = append(spec.Nodes, b.node(i, f))
	}
	spec.Order = order(spec.Nodes)
	if status != "" {
		spec.Status = b.body(b.env, "spec.schema.status", status, nil)
	}
	return graph.New(spec)
}

func (b *builder) with(env *expr.Environment, vars ...expr.Variable) *expr.Environment {
	b.t.Helper()
	var err error
	if env == nil {
		env, err = expr.NewEnvironment(vars...)
	} else {
		env, err = env.With(vars...)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return env
}

func (b *builder) node(i int, f fixture) *graph.Node {
	kind := "ConfigMap"
	if f.kind != "" {
		kind = f.kind
	}
	n := &graph.Node{
		ID: f.id, Index: i, Path: fmt.Sprintf("spec.resources[%d]", i), Installed: !f.absent, Namespaced: !f.clusterScoped,
		GVK: schema.GroupVersionKind{Version: "v1", Kind: kind}, Type: objectType, ReadsSecret: f.secret,
		Resource: schema.GroupVersionResource{Version: "v1", Resource: strings.ToLower(kind) + "s"},
	}
	env := b.env
	for j, it := range f.forEach {
		path := fmt.Sprintf("%s.forEach[%d].%s", n.Path, j, it[0])
		n.ForEach = append(n.ForEach, &graph.Iterator{Name: it[0], Path: path, Program: b.program(env, it[1])})
		env = b.with(env, expr.Variable{Name: it[0], Type: expr.DynamicType(), Root: expr.Local})
	}
	self := b.with(b.env, expr.Variable{Name: "self", Type: objectType}, expr.Variable{Name: "each", Type: objectType})
	n.IncludeWhen = b.conditions(b.env, n.Path+".includeWhen", f.includeWhen)
	n.ReadyWhen = b.conditions(self, n.Path+".readyWhen", f.readyWhen)
	b.fill(n, f, env)
	n.Needs = b.needs(n, f)
	return n
}

func (b *builder) fill(n *graph.Node, f fixture, env *expr.Environment) {
	switch {
	case f.def != "":
		n.Kind, n.GVK = graph.Def, schema.GroupVersionKind{}
		n.Body = b.body(env, n.Path+".def", f.def, nil)
	case f.external != "":
		n.Kind, n.External = graph.External, &graph.ExternalRef{}
		namespace, name, both := strings.Cut(f.external, "/")
		if !both {
			name = f.external
		} else {
			n.External.Namespace = b.body(env, n.Path+".externalRef.metadata.namespace", namespace, textType)
		}
		n.External.Name = b.body(env, n.Path+".externalRef.metadata.name", name, textType)
	case f.selector != "":
		n.Kind = graph.ExternalList
		n.External = &graph.ExternalRef{Selector: b.body(env, n.Path+".externalRef.metadata.selector", "matchLabels: {role: '"+f.selector+"'}", nil)}
	default:
		head := fmt.Sprintf("apiVersion: v1\nkind: %s\n", n.GVK.Kind)
		n.Body = b.body(env, n.Path+".template", head+f.template, objectType)
	}
}

func (b *builder) conditions(env *expr.Environment, path string, texts []string) []*graph.Condition {
	var out []*graph.Condition
	for i, text := range texts {
		out = append(out, &graph.Condition{Path: fmt.Sprintf("%s[%d]", path, i), Program: b.program(env, text)})
	}
	return out
}

func (b *builder) program(env *expr.Environment, text string) *expr.Program {
	b.t.Helper()
	scanned, fault := expr.Scan(text)
	if fault != nil {
		b.t.Fatalf("scanning %q: %v", text, fault)
	}
	program, problems := env.Compile(scanned)
	if len(problems) > 0 {
		b.t.Fatalf("compiling %q: %v", text, problems)
	}
	return program
}

func (b *builder) body(env *expr.Environment, path, text string, typ *expr.Type) *graph.Body {
	b.t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		b.t.Fatalf("reading %q: %v", text, err)
	}
	return b.tree(env, path, value, typ)
}

func (b *builder) tree(env *expr.Environment, path string, value any, typ *expr.Type) *graph.Body {
	out := &graph.Body{Path: path, Type: typ}
	switch v := value.(type) {
	case string:
		if strings.Contains(v, "${") {
			out.Program = b.program(env, v)
			return out
		}
	case map[string]any:
		out.Fields = []graph.BodyField{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			item := v[key]
			field := graph.BodyField{Key: key, Value: b.tree(env, path+"."+key, item, fieldType(typ, key))}
			if strings.Contains(key, "${") {
				field.Key, field.KeyProgram = "", b.program(env, key)
			}
			out.Fields = append(out.Fields, field)
		}
		return out
	case []any:
		out.Items = []*graph.Body{}
		for i, item := range v {
			out.Items = append(out.Items, b.tree(env, fmt.Sprintf("%s[%d]", path, i), item, nil))
		}
		return out
	case float64:
		value = int64(v)
	}
	out.Literal = value
	return out
}

func fieldType(typ *expr.Type, key string) *expr.Type {
	if typ == nil {
		return nil
	}
	field, _ := typ.Field(key)
	return field
}

// needs finds the edges of a node from its references, as the compiler does.
func (b *builder) needs(n *graph.Node, f fixture) []graph.Need {
	g := graph.New(graph.Spec{Nodes: append([]*graph.Node{n}, b.others(n.ID)...)})
	kinds := map[string]graph.NeedKind{}
	for _, read := range g.Reads(n.ID) {
		kinds[read.Name] = graph.Hard
	}
	for id := range kinds {
		if b.isSoft(f, id) {
			kinds[id] = graph.Soft
		}
	}
	for _, id := range f.dependsOn {
		if _, refers := kinds[id]; !refers {
			kinds[id] = graph.Order
		}
	}
	var out []graph.Need
	for _, other := range b.nodes {
		if kind, needed := kinds[other.id]; needed {
			out = append(out, graph.Need{ID: other.id, Kind: kind})
		}
	}
	return out
}

func (b *builder) others(id string) []*graph.Node {
	var out []*graph.Node
	for _, f := range b.nodes {
		if f.id != id {
			out = append(out, &graph.Node{ID: f.id})
		}
	}
	return out
}

// isSoft tells whether a fixture refers to a node with a question mark only.
func (b *builder) isSoft(f fixture, id string) bool {
	all := f.template + f.def + strings.Join(f.includeWhen, "")
	for _, it := range f.forEach {
		all += it[1]
	}
	return strings.Contains(all, id+".?") && !strings.Contains(strings.ReplaceAll(all, id+".?", ""), id+".")
}

func order(nodes []*graph.Node) []int {
	var out []int
	done := map[string]bool{}
	for len(out) < len(nodes) {
		for i, n := range nodes {
			isFree := !done[n.ID]
			for _, need := range n.Needs {
				isFree = isFree && done[need.ID]
			}
			if isFree {
				done[n.ID] = true
				out = append(out, i)
				break
			}
		}
	}
	return out
}
