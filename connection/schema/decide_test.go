package schema_test

import (
	"maps"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/schema"
)

type version struct {
	name            string
	unserved, store bool
	limit           int64 // maxLength of spec.size
}

// definition is what a provider has.
func definition(versions ...version) *apiextensionsv1.CustomResourceDefinition {
	out := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "databases.db.example.com", Labels: map[string]string{"a": "b"}},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "db.example.com", Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "databases", Kind: "Database"},
		},
	}
	for _, v := range versions {
		size := apiextensionsv1.JSONSchemaProps{Type: "string", MaxLength: new(v.limit)}
		spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"size": size}}
		out.Spec.Versions = append(out.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{
			Name: v.name, Served: !v.unserved, Storage: v.store,
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
				Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec},
			}},
		})
	}
	return out
}

// installed is a definition as it stands here after it was installed for the Connection acme.
func installed(t *testing.T, d *apiextensionsv1.CustomResourceDefinition, stored ...string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	answer := schema.Decide(schema.Question{Connection: "acme", Export: schema.Carry(t.Context(), d), Wanted: true})
	if answer.Create == nil {
		t.Fatalf("it is not created: %s %s", answer.State, answer.Message)
	}
	out := answer.Create
	out.Status.StoredVersions = stored
	out.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{{Type: apiextensionsv1.Established, Status: apiextensionsv1.ConditionTrue}}
	return out
}

func TestDecide(t *testing.T) {
	v1 := version{name: "v1", store: true, limit: 10}
	wider, narrower := version{name: "v1", store: true, limit: 20}, version{name: "v1", store: true, limit: 5}
	plain := installed(t, definition(v1), "v1")
	change := func(d *apiextensionsv1.CustomResourceDefinition, f func(*apiextensionsv1.CustomResourceDefinition)) *apiextensionsv1.CustomResourceDefinition {
		out := d.DeepCopy()
		f(out)
		return out
	}
	edited := change(plain, func(d *apiextensionsv1.CustomResourceDefinition) { d.Spec.Names.ShortNames = []string{"edited"} })
	tests := map[string]struct {
		have     *apiextensionsv1.CustomResourceDefinition
		provider *apiextensionsv1.CustomResourceDefinition
		unwanted bool
		once     bool
		want     string // state/reason, and what is written
	}{
		"not wanted":                {provider: definition(v1), unwanted: true, want: "Available/"},
		"wanted":                    {provider: definition(v1), want: "Available/NotEstablished create"},
		"as it should be":           {have: plain, provider: definition(v1), want: "Installed/"},
		"not wanted any more":       {have: plain, provider: definition(v1), unwanted: true, want: "Installed/"},
		"wider":                     {have: plain, provider: definition(wider), want: "Installed/ replace"},
		"narrower":                  {have: plain, provider: definition(narrower), want: "Conflict/BreakingChange"},
		"wider, once":               {have: plain, provider: definition(wider), once: true, want: "Installed/Outdated"},
		"edited":                    {have: edited, provider: definition(v1), want: "Installed/ replace"},
		"edited, once":              {have: edited, provider: definition(v1), once: true, want: "Installed/ replace"},
		"edited and changed, once":  {have: edited, provider: definition(wider), once: true, want: "Installed/Edited"},
		"widened here":              {have: change(installed(t, definition(v1), "v1"), func(d *apiextensionsv1.CustomResourceDefinition) { limitOf(d, 99) }), provider: definition(v1), want: "Installed/ replace"},
		"somebody else's":           {have: change(plain, func(d *apiextensionsv1.CustomResourceDefinition) { d.Labels, d.Annotations = nil, nil }), provider: definition(v1), want: "Conflict/NotOurs"},
		"somebody's, not wanted":    {have: change(plain, func(d *apiextensionsv1.CustomResourceDefinition) { d.Labels, d.Annotations = nil, nil }), provider: definition(v1), unwanted: true, want: "Available/"},
		"another Connection's":      {have: change(plain, func(d *apiextensionsv1.CustomResourceDefinition) { d.Labels[v1alpha1.LabelConnection] = "other" }), provider: definition(v1), want: "Conflict/NotOurs"},
		"ours without its label":    {have: change(plain, func(d *apiextensionsv1.CustomResourceDefinition) { d.Labels = nil }), provider: definition(v1), want: "Installed/ replace"},
		"not established":           {have: change(plain, func(d *apiextensionsv1.CustomResourceDefinition) { d.Status.Conditions = nil }), provider: definition(v1), want: "Available/NotEstablished"},
		"names taken":               {have: change(plain, func(d *apiextensionsv1.CustomResourceDefinition) { d.Status.Conditions[0] = taken }), provider: definition(v1), want: "Conflict/NamesTaken"},
		"being deleted":             {have: change(plain, func(d *apiextensionsv1.CustomResourceDefinition) { d.DeletionTimestamp = &metav1.Time{} }), provider: definition(v1), want: "Available/NotEstablished"},
		"versions of other schemas": {provider: definition(v1, version{name: "v2", limit: 20}), want: "Unsupported/ConversionNeeded"},
		"versions of one schema":    {provider: definition(v1, version{name: "v2", limit: 10}), want: "Available/NotEstablished create"},
		"no version served":         {provider: definition(version{name: "v1", store: true, unserved: true, limit: 1}), want: "Unsupported/NotServed"},
		"storage moves on":          {have: plain, provider: definition(version{name: "v2", store: true, limit: 10}), want: "Installed/ replace"},
		"storage moves and narrows": {have: plain, provider: definition(version{name: "v2", store: true, limit: 5}), want: "Conflict/BreakingChange"},
		"an invalid schema":         {provider: change(definition(v1), func(d *apiextensionsv1.CustomResourceDefinition) { d.Spec.Versions[0].Schema.OpenAPIV3Schema.Type = "" }), want: "Invalid/InvalidSchema"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			answer := schema.Decide(schema.Question{
				Connection: "acme", Export: schema.Carry(t.Context(), tt.provider), Wanted: !tt.unwanted, Once: tt.once, Have: tt.have,
			})
			got := string(answer.State) + "/" + string(answer.Reason)
			if answer.Create != nil {
				got += " create"
			}
			if answer.Replace != nil {
				got += " replace"
			}
			if got != tt.want {
				t.Errorf("got %s (%s), want %s", got, answer.Message, tt.want)
			}
		})
	}
}

var taken = apiextensionsv1.CustomResourceDefinitionCondition{
	Type: apiextensionsv1.NamesAccepted, Status: apiextensionsv1.ConditionFalse, Message: "taken",
}

func limitOf(d *apiextensionsv1.CustomResourceDefinition, limit int64) {
	spec := d.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	size := spec.Properties["size"]
	size.MaxLength = &limit
	spec.Properties["size"] = size
}

func TestVersionsThatObjectsAreStoredInStay(t *testing.T) {
	have := installed(t, definition(version{name: "v1", store: true, limit: 10}), "v1")
	answer := schema.Decide(schema.Question{
		Connection: "acme", Export: schema.Carry(t.Context(), definition(version{name: "v2", store: true, limit: 10})), Wanted: true, Have: have,
	})
	if answer.Replace == nil {
		t.Fatalf("it is not replaced: %s %s", answer.State, answer.Message)
	}
	got := map[string]bool{}
	for _, v := range answer.Replace.Spec.Versions {
		got[v.Name] = v.Served
	}
	if want := map[string]bool{"v2": true, "v1": false}; !maps.Equal(got, want) {
		t.Errorf("versions and whether they are served %v, want %v", got, want)
	}
}

func TestOnlyWhatADefinitionNeedsTravels(t *testing.T) {
	from := definition(version{name: "v1", store: true, limit: 10})
	from.Annotations, from.Finalizers = map[string]string{"x": "y"}, []string{"example.com/hold"}
	from.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.WebhookConverter}
	got := schema.Carry(t.Context(), from).Definition
	if len(got.Labels)+len(got.Annotations)+len(got.Finalizers) > 0 || got.Spec.Conversion.Strategy != apiextensionsv1.NoneConverter {
		t.Errorf("labels %v, annotations %v, finalizers %v, conversion %v", got.Labels, got.Annotations, got.Finalizers, got.Spec.Conversion)
	}
}

func TestFilter(t *testing.T) {
	tests := map[string]struct {
		include, exclude []string
		want             bool // of databases.db.example.com
	}{
		"nothing said":      {want: true},
		"the group":         {include: []string{"db.example.com"}, want: true},
		"the resource":      {include: []string{"databases.db.example.com"}, want: true},
		"a glob":            {include: []string{"*.example.com"}, want: true},
		"another":           {include: []string{"queues.db.example.com"}},
		"excluded":          {exclude: []string{"databases.*"}},
		"exclude wins":      {include: []string{"db.example.com"}, exclude: []string{"d*"}},
		"a pattern of none": {exclude: []string{"[databases"}, want: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := (schema.Filter{Include: tt.include, Exclude: tt.exclude}).Takes("db.example.com", "databases"); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}

func TestIsExportable(t *testing.T) {
	for group, want := range map[string]bool{
		"db.example.com": true, "apps.plait.run": true, "apps": false, "": false, "plait.run": false, "networking.k8s.io": false,
		"k8s.io": false, "core.kcp.io": false, "notk8s.io": true,
	} {
		if got := schema.IsExportable(group); got != want {
			t.Errorf("%q: got %t, want %t", group, got, want)
		}
	}
}

func TestTooLarge(t *testing.T) {
	from := definition(version{name: "v1", store: true, limit: 10})
	from.Spec.Versions[0].Schema.OpenAPIV3Schema.Description = strings.Repeat("long ", 1<<18)
	if got := schema.Carry(t.Context(), from).Fault.Reason; got != schema.ReasonTooLarge {
		t.Errorf("reason %q, want %q", got, schema.ReasonTooLarge)
	}
}
