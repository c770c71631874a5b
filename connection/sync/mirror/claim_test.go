package mirror

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/api/v1alpha1"
)

// entry is one of managedFields, in the flow style of the tests.
func entry(manager string) string {
	return ", managedFields: [{manager: " + manager + ", operation: Apply, fieldsV1: {'f:spec': {}}}]"
}

func marked(cluster, object, binding string) string {
	return ", annotations: {plait.run/consumer-cluster-uid: " + cluster + ", plait.run/consumer-object-uid: " + object +
		", plait.run/binding-uid: " + binding + "}"
}

func TestJudge(t *testing.T) {
	ours := entry(maker.Manager())
	prefixed := maker
	prefixed.Prefix = "acme-"
	const elsewhere = ", annotations: {plait.run/consumer-cluster-uid: c0ffee00-1234, plait.run/consumer-object-uid: obj-1, plait.run/consumer-namespace: other}"
	tests := map[string]struct {
		maker    Maker
		metadata string // of the object at the provider, whose UID is copy-1
		known    string
		want     Claim
		made     bool // by this binding
	}{
		"ours":                          {maker, marked("c0ffee00-1234", "obj-1", "bind-1") + ours, "", Ours, true},
		"of another binding":            {maker, marked("c0ffee00-1234", "obj-1", "bind-2") + ours, "", Ours, false},
		"recreated here":                {maker, marked("c0ffee00-1234", "obj-0", "bind-1") + ours, "", Successor, true},
		"marks without our entry":       {maker, marked("c0ffee00-1234", "obj-1", "bind-1") + entry("kubectl"), "", Foreign, false},
		"entry without marks":           {maker, ours, "", Adoptable, false},
		"entry without marks, known":    {maker, ours, "copy-1", Recognised, false},
		"marks faked, known":            {maker, entry("kubectl"), "copy-1", Adoptable, false},
		"another cluster":               {maker, marked("beef", "obj-1", "bind-1") + entry("plait-sync-beef"), "", Foreign, false},
		"another cluster, our manager":  {maker, marked("beef", "obj-1", "bind-1") + ours, "", Foreign, false},
		"of another namespace":          {prefixed, elsewhere + ours, "", Collision, false},
		"not mapped":                    {maker, elsewhere + ours, "", Ours, false},
		"nobody's":                      {maker, "", "", Adoptable, false},
		"has a controller":              {maker, ", ownerReferences: [{apiVersion: v1, kind: X, name: x, uid: u, controller: true}]", "", Foreign, false},
		"has an owner, no controller":   {maker, ", ownerReferences: [{apiVersion: v1, kind: X, name: x, uid: u}]", "", Adoptable, false},
		"child of an instance there":    {maker, ", labels: {plait.run/owned: 'true'}", "", Foreign, false},
		"copied there by another Plait": {maker, ", annotations: {plait.run/provider-object-uid: x}", "", Foreign, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			live := fromYAML(t, "{apiVersion: v1, kind: Database, metadata: {name: shop, namespace: team, uid: copy-1"+tt.metadata+"}}")
			if got := tt.maker.Judge(live, database(t, "", ""), "copy-"+"1"); tt.known != "" && got != tt.want {
				t.Errorf("with the UID known: claim %d, want %d", got, tt.want)
			}
			if got := tt.maker.Judge(live, database(t, "", ""), ""); tt.known == "" && got != tt.want {
				t.Errorf("claim %d, want %d", got, tt.want)
			}
			if got := tt.maker.IsMade(live); got != tt.made {
				t.Errorf("made by this binding: %v, want %v", got, tt.made)
			}
		})
	}
}

func TestConflictOf(t *testing.T) {
	tests := map[string]struct {
		claim    Claim
		metadata string
		reason   v1alpha1.Reason
		says     string
	}{
		"nobody's":        {Adoptable, "", v1alpha1.ReasonObjectNotOwned, "conflictPolicy: Adopt"},
		"another cluster": {Foreign, marked("beef", "obj-1", "b"), v1alpha1.ReasonObjectNotOwned, "namespaceMapping"},
		"owned":           {Foreign, "", v1alpha1.ReasonObjectNotOwned, "somebody else owns it"},
		"collision":       {Collision, ", annotations: {plait.run/consumer-namespace: other}", v1alpha1.ReasonNamespaceCollision, `namespace "other"`},
	}
	for name, tt := range tests {
		got := ConflictOf(tt.claim, database(t, tt.metadata, ""))
		if got.Reason != tt.reason || !strings.Contains(got.Message, tt.says) || !strings.Contains(got.Message, "team/shop") {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestNamespace(t *testing.T) {
	long := strings.Repeat("n", 60)
	tests := map[string]struct{ prefix, name, want string }{
		"none":     {"", "team", "team"},
		"prefixed": {"acme-", "team", "acme-team"},
		"63":       {"abc", long, "abc" + long},
		"64":       {"abcd", long, "abcd" + strings.Repeat("n", 50) + "-ff2b2500"},
		"no dash before the dash": {"p-", strings.Repeat("n", 51) + "-" + strings.Repeat("m", 11),
			"p-" + strings.Repeat("n", 51) + "-fe38eb16"},
	}
	for name, tt := range tests {
		got := Maker{Prefix: tt.prefix}.Namespace(tt.name)
		if diff := cmp.Diff(tt.want, got); diff != "" || len(got) > 63 {
			t.Errorf("%s: %d characters (-want +got):\n%s", name, len(got), diff)
		}
	}
}

func TestRelease(t *testing.T) {
	both := ", managedFields: [{manager: kubectl, operation: Update}, {manager: plait-sync-c0ffee00, operation: Apply}]"
	tests := map[string]struct {
		metadata string
		want     []any
	}{
		"another manager stays": {both, []any{map[string]any{"manager": "kubectl", "operation": "Update"}}},
		"only ours":             {entry(maker.Manager()), []any{map[string]any{}}},
	}
	for name, tt := range tests {
		patch := maker.Release(database(t, ", resourceVersion: '5'"+tt.metadata, ", spec: {size: 1}"))
		metadata := patch["metadata"].(map[string]any)
		if diff := cmp.Diff(tt.want, metadata["managedFields"]); diff != "" {
			t.Errorf("%s: managers (-want +got):\n%s", name, diff)
		}
		if metadata["uid"] != "obj-1" || metadata["resourceVersion"] != "5" || len(patch) != 1 {
			t.Errorf("%s: the patch is not tied to one state, or changes more than metadata: %v", name, patch)
		}
	}
}
