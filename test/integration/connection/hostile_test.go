package connection

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/test/world"
)

// crafted are the definitions that a provider says it has, by name: no API server would let in most of them.
type crafted map[string]map[string]any

// add takes one in from YAML, with metadata that is of no concern here.
func (c crafted) add(t *testing.T, name, spec string) {
	t.Helper()
	out := map[string]any{}
	if err := yaml.Unmarshal([]byte("spec: "+spec), &out); err != nil {
		t.Fatal(err)
	}
	out["apiVersion"], out["kind"] = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
	out["metadata"] = map[string]any{
		"name": name, "uid": name, "resourceVersion": "1", "finalizers": []string{"example.com/forever"},
		"labels": map[string]any{"plait.run/exported": "true", "plait.run/managed": "true", "plait.run/connection": "somebody-elses"},
		"annotations": map[string]any{
			"plait.run/schema-hash": "forged", "plait.run/connection": "somebody-elses", "example.com/large": strings.Repeat("x", 1<<20),
		},
		"ownerReferences": []any{map[string]any{"apiVersion": "v1", "kind": "Namespace", "name": "default", "uid": "x", "controller": true}},
	}
	c[name] = out
}

// answer is the provider's, to lists and reads of definitions.
func (c crafted) answer(w http.ResponseWriter, r *http.Request) bool {
	_, name, _ := strings.Cut(r.URL.Path, "/customresourcedefinitions/")
	var body any = c[name]
	if name == "" {
		var items []any
		for _, name := range slices.Sorted(maps.Keys(c)) {
			items = append(items, map[string]any{"metadata": c[name]["metadata"]})
		}
		body = map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadataList", "metadata": map[string]any{"resourceVersion": "1"}, "items": items}
	}
	text, err := json.Marshal(body)
	return err == nil && answering(http.StatusOK, string(text))(w, r)
}

// craft gives a spec: group, plural and kind, what more there is of names and of the one version, and the schema of spec.
func craft(group, plural, kind, names, version, schema string) string {
	return fmt.Sprintf(`{group: %q, scope: Namespaced, names: {plural: %s, kind: %s, singular: %s%s}, versions: [{name: v1, served: true, storage: true%s,
  schema: {openAPIV3Schema: {type: object, properties: {spec: %s}}}}]}`, group, plural, kind, strings.TrimSuffix(plural, "s"), prefixed(names), prefixed(version), schema)
}

// TestHostileDefinitions has a provider tell all that it may not. What is wrong is said of each API, nothing else suffers, and
// no more comes here than schemas.
func TestHostileDefinitions(t *testing.T) {
	t.Parallel()
	s, g := newSuite(t, "hostile"), newGate(t, west)
	const plain = "{type: object, properties: {size: {type: string}}}"
	all := crafted{}
	add := func(plural, spec string) { all.add(t, plural+"."+s.group, spec) }
	add("databases", craft(s.group, "databases", "Database", "shortNames: [po, svc, secret], categories: [all, api-extensions]", "", plain))
	add("twins", craft(s.group, "databases", "Database", "", "", "{type: object, properties: {stolen: {type: string}}}")) // says it is databases
	add("impostors", craft("apps", "deployments", "Deployment", "", "", plain))
	add("garbages", `"no spec"`)
	add("nones", "{}")
	add("longs", craft(s.group, "longs", "Long"+strings.Repeat("x", 1<<16), "", "", plain))
	add("rules", craft(s.group, "rules", "Rule", "", "", `{type: object, x-kubernetes-validations: [{rule: "self.size.("}], properties: {size: {type: string}}}`))
	add("costs", craft(s.group, "costs", "Cost", "", "", `{type: object, properties: {list: {type: array, items: {type: array, items: {type: string}}}},
    x-kubernetes-validations: [{rule: "self.list.all(a, self.list.all(b, a.all(x, b.all(y, x.matches(y)))))"}]}`))
	add("columns", craft(s.group, "columns", "Column", "", `additionalPrinterColumns: [{name: a, type: nonsense, jsonPath: .spec.size}]`, plain))
	add("odds", craft(s.group, "odds", "Odd", "", `additionalPrinterColumns: [{name: "a b", type: date, jsonPath: ".spec[?(@"}]`, plain))
	add("larges", craft(s.group, "larges", "Large", "", "", "{type: object, description: "+strings.Repeat("x", 1<<20)+"}"))
	add("manys", manyVersions(s.group))
	add("names", craft(s.group, "names", "Database", "", "", plain)) // a kind that is taken
	for _, name := range []string{"deployments.apps", "secrets.", "gateways.gateway.networking.k8s.io", "connections.plait.run", "workspaces.tenancy.kcp.io"} {
		plural, group, _ := strings.Cut(name, ".")
		all.add(t, name, craft(group, plural, "Deployment", "", "", plain))
	}
	g.set(where("/customresourcedefinitions", all.answer))
	s.secret(g.kubeconfig(t))
	s.forgetInstalled("databases", "manys", "odds", "names")
	s.connect("schema: {source: CRD, pullPolicy: All}")

	u := s.waitReady("True/AsExpected")
	s.waitAPI("manys", "Installed/")
	s.waitAPI("odds", "Installed/")
	for plural, want := range map[string]string{
		"twins": "Invalid/InvalidSchema: the provider's definition makes no sense", "impostors": "Invalid/InvalidSchema", "garbages": "Invalid/InvalidSchema",
		"nones": "Invalid/InvalidSchema", "longs": "Invalid/InvalidSchema", "rules": "Invalid/InvalidSchema", "costs": "Invalid/InvalidSchema",
		"columns": "Invalid/InvalidSchema", "larges": "Invalid/TooLarge",
	} {
		s.waitAPI(plural, want)
	}
	s.haveOneKind(t)
	for _, entry := range field(t, u, "status", "exportedAPIs").([]any) {
		if name := fmt.Sprint(entry.(map[string]any)["name"]); !strings.HasSuffix(name, "."+s.group) {
			t.Errorf("%s is exported", name)
		}
	}
	odd := s.installed("odds")
	metadata := field(t, odd, "metadata").(map[string]any)
	text := fmt.Sprint(metadata["annotations"], metadata["labels"], metadata["finalizers"], metadata["ownerReferences"])
	if strings.Contains(text, "somebody") || strings.Contains(text, "example.com") || strings.Contains(text, "forged") || strings.Contains(text, "Namespace") {
		t.Errorf("of the provider's metadata came %.500s", text)
	}
	if versions, _ := field(t, s.installed("manys"), "spec", "versions").([]any); len(versions) != 30 {
		t.Errorf("there are %d versions, want 30", len(versions))
	}
}

// haveOneKind wants one of two definitions of the same kind to be installed, and the other one to say why it is not.
func (s *suite) haveOneKind(t *testing.T) {
	t.Helper()
	s.WaitFor("Connection", s.name, func(u *unstructured.Unstructured) error {
		states := []string{api(u, "databases."+s.group), api(u, "names."+s.group)}
		slices.Sort(states)
		if !strings.HasPrefix(states[0], "Conflict/NamesTaken") || !strings.HasPrefix(states[1], "Installed/") {
			return fmt.Errorf("they are %q", states)
		}
		return world.HasCondition("Ready", "True")(u)
	})
}

func manyVersions(group string) string {
	var versions []string
	for i := range 30 {
		versions = append(versions, fmt.Sprintf("{name: v%d, served: true, storage: %t, schema: {openAPIV3Schema: {type: object}}}", i+1, i == 0))
	}
	return fmt.Sprintf("{group: %s, scope: Namespaced, names: {kind: Many, plural: manys, singular: many}, versions: [%s]}", group, strings.Join(versions, ", "))
}
