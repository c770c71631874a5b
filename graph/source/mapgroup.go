package source

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/plait-run/plait/graph/diag"
)

// What a ResourceGroup is called, and its bounds.
const (
	GroupAPIVersion = "plait.run/v1alpha1"
	GroupKind       = "ResourceGroup"

	maxGroupSize       = 700 << 10 // bytes
	maxNodes           = 2000
	maxIterators       = 10
	maxServiceAccounts = 28
)

// IsGroup tells whether a document says that it is a ResourceGroup, of whatever version.
func (d *Document) IsGroup() bool {
	group, _, _ := strings.Cut(d.APIVersion, "/")
	return d.Kind == GroupKind && group == "plait.run"
}

// MapGroup cuts a ResourceGroup into its parts. All problems of its form come at once; the group is given as
// far as it could be mapped, and is nil only when the document is no map. Ids, names and expressions, and
// what a template or externalRef must hold, are the compiler's to check.
func MapGroup(doc *Document) (*Group, diag.List) {
	m := &mapper{file: doc.File}
	if doc.Root == nil || doc.Root.Kind != Map {
		m.report(diag.WrongFieldType, "", diag.Position{}, "a ResourceGroup must be a map of fields", "")
		return nil, m.problems
	}
	g := &Group{File: doc.File, Root: doc.Root}
	g.Policies = Policies{DeletionPolicy: "Wait", CRDDeletion: "Retain", Pinning: "Denied", OwnerReferences: "Set"}
	m.size(doc)
	m.fields(doc.Root, "a ResourceGroup", []known{
		{"apiVersion", String, func(v *Value) { m.literal(v, GroupAPIVersion) }},
		{"kind", String, func(v *Value) { m.literal(v, GroupKind) }},
		{"metadata", Map, func(v *Value) { m.metadata(g, v) }},
		{"spec", Map, func(v *Value) { m.spec(g, v) }},
		{"status", Map, nil},
	})
	for _, name := range []string{"apiVersion", "kind", "metadata", "spec"} {
		m.require(doc.Root, name, "")
	}
	return g, m.problems
}

func (m *mapper) size(doc *Document) {
	if doc.Size <= maxGroupSize {
		return
	}
	m.problems.Add(diag.Diagnostic{
		File: m.file, Path: "spec", Position: doc.Root.Position, Code: diag.DocumentTooLarge, Severity: diag.Warning,
		Summary:    "the document has " + strconv.Itoa(doc.Size>>10) + " KiB, and over 700 KiB an API server may not store it",
		Suggestion: "Apply it with `kubectl apply --server-side`, which keeps no second copy in an annotation, or cut it into several ResourceGroups.",
	})
}

func (m *mapper) literal(v *Value, want string) {
	if v.Text() != want {
		m.report(diag.InvalidValue, v.Path, v.Position, "this is \""+v.Text()+"\", and must be \""+want+"\"", "")
	}
}

func (m *mapper) metadata(g *Group, v *Value) {
	var ignored *Value
	m.fields(v, "metadata", []known{
		{"name", String, func(name *Value) { g.Name = m.objectName(name) }},
		{"labels", Map, m.keepTexts(&ignored)}, {"annotations", Map, m.keepTexts(&ignored)},
		{"finalizers", List, m.keepStrings(&ignored)}, {"ownerReferences", List, nil}, {"managedFields", List, nil},
		{"uid", String, nil}, {"resourceVersion", String, nil}, {"generation", Int, nil}, {"selfLink", String, nil},
		{"creationTimestamp", String, nil}, {"deletionTimestamp", String, nil}, {"deletionGracePeriodSeconds", Int, nil},
		{"namespace", String, func(ns *Value) {
			m.problems.Add(diag.Diagnostic{
				File: m.file, Path: ns.Path, Position: ns.Position, Code: diag.InvalidValue, Severity: diag.Warning,
				Summary: "a ResourceGroup has no namespace: it is cluster-scoped", Suggestion: "Remove this line.",
			})
		}},
	})
	m.require(v, "name", "")
}

func (m *mapper) objectName(v *Value) string {
	for _, why := range validation.IsDNS1123Subdomain(v.Text()) {
		m.report(diag.InvalidValue, v.Path, v.Position, "\""+v.Text()+"\" is no valid name", why)
		break
	}
	return v.Text()
}

func (m *mapper) spec(g *Group, v *Value) {
	p := &g.Policies
	m.fields(v, "spec", []known{
		{"schema", Map, func(s *Value) { m.schema(&g.Schema, s) }},
		{"deletionPolicy", String, m.oneOf(&p.DeletionPolicy, "Wait", "Cascade")},
		{"crdDeletion", String, m.oneOf(&p.CRDDeletion, "Retain", "Delete")},
		{"pinning", String, m.oneOf(&p.Pinning, "Denied", "Allowed")},
		{"ownerReferences", String, m.oneOf(&p.OwnerReferences, "Set", "None")},
		{"defaultServiceAccounts", Map, func(a *Value) { p.DefaultServiceAccounts = m.serviceAccounts(a) }},
		{"resources", List, func(list *Value) { g.Nodes = m.nodes(list) }},
	})
	m.require(v, "schema", "It describes the API that the group serves.")
}

func (m *mapper) schema(s *Schema, v *Value) {
	s.Value = v
	m.fields(v, "schema", []known{
		{"apiVersion", String, keep(&s.APIVersion)},
		{"kind", String, keep(&s.Kind)},
		{"group", String, keep(&s.Group)},
		{"scope", String, func(scope *Value) {
			s.Scope = scope
			var text string
			m.oneOf(&text, "Namespaced", "Cluster")(scope)
		}},
		{"plural", String, keep(&s.Plural)},
		{"shortNames", List, m.keepStrings(&s.ShortNames)},
		{"categories", List, m.keepStrings(&s.Categories)},
		{"metadata", Map, func(meta *Value) {
			m.fields(meta, "schema.metadata", []known{
				{"labels", Map, m.keepTexts(&s.Labels)}, {"annotations", Map, m.keepTexts(&s.Annotations)},
			})
		}},
		{"spec", Map, keep(&s.Spec)},
		{"types", Map, keep(&s.Types)},
		{"status", Map, keep(&s.Status)},
		{"validations", List, m.keepEach(&s.Validations, "a validation",
			[]known{{"rule", String, nil}, {"message", String, nil}}, "rule")},
		{"additionalPrinterColumns", List, m.keepEach(&s.Columns, "a printer column", []known{
			{"name", String, nil}, {"type", String, nil}, {"format", String, nil},
			{"description", String, nil}, {"priority", Int, nil}, {"jsonPath", String, nil},
		}, "name", "type", "jsonPath")},
	})
	m.require(v, "apiVersion", "Write the version of the new kind, such as v1alpha1.")
	m.require(v, "kind", "Write the name of the new kind, such as WebApp.")
}

func (m *mapper) serviceAccounts(v *Value) map[string]string {
	if len(v.Fields) > maxServiceAccounts {
		m.report(diag.InvalidValue, v.Path, v.Position,
			strconv.Itoa(len(v.Fields))+" entries are too many: at most 28 can be authorised", "Use the key \"*\" for namespaces with the same account name.")
	}
	accounts := make(map[string]string, len(v.Fields))
	for _, f := range v.Fields {
		if m.isKind(f.Value, String) {
			accounts[f.Key] = f.Value.Text()
			m.serviceAccount(f)
		}
	}
	return accounts
}

func (m *mapper) serviceAccount(f Field) {
	name := f.Value.Text()
	switch {
	case f.Key == "":
		namespace, account, ok := strings.Cut(name, "/")
		if !ok || len(validation.IsDNS1123Label(namespace)) > 0 || len(validation.IsDNS1123Subdomain(account)) > 0 {
			m.report(diag.InvalidValue, f.Value.Path, f.Value.Position,
				"\""+name+"\" names no service account", "For the key \"\" write namespace/name.")
		}
		return
	case f.Key != "*" && len(validation.IsDNS1123Label(f.Key)) > 0:
		m.report(diag.InvalidValue, f.Value.Path, f.KeyPosition, "\""+f.Key+"\" is no name of a namespace", "Write a namespace, or \"*\" for all others.")
	}
	if len(validation.IsDNS1123Subdomain(name)) > 0 {
		m.report(diag.InvalidValue, f.Value.Path, f.Value.Position, "\""+name+"\" is no name of a service account", "Write the account's name without its namespace.")
	}
}
