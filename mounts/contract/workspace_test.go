package contract

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/api/v1alpha1"
)

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	json, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := u.UnmarshalJSON(append([]byte(`{"apiVersion":"v1","kind":"X",`), json[1:]...)); err != nil {
		t.Fatal(err)
	}
	return u
}

var since = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const (
	legacy   = `{metadata: {name: w, annotations: {experimental.tenancy.kcp.io/mount: '{"spec":{"ref":{"apiVersion":"a/v1","kind":"K","name":"one","namespace":"s"}},"status":{"phase":"Ready","url":"https://old"}}'}}}`
	noClouds = `spec.mount.ref.kind is a number, not text`
)

func TestRead(t *testing.T) {
	ref := Reference{APIVersion: "a/v1", Kind: "K", Name: "one", Namespace: "s"}
	invalid := func(reason v1alpha1.Reason, message string) *Fault { return &Fault{Reason: reason, Message: message} }
	tests := map[string]struct {
		api  API
		text string
		want Workspace
	}{
		"Plait's": {Plait, `{metadata: {name: w, generation: 3}, spec: {URL: "https://x", mount: {ref: {apiVersion: a/v1, kind: K, name: one, namespace: s}, serviceAccountName: reader}},
			status: {phase: Ready, conditions: [{type: Other, status: "False"}, {type: WorkspaceMountReady, status: "True", reason: MountReady, message: m, lastTransitionTime: "2026-03-01T12:00:00Z"}]}}`,
			Workspace{Name: "w", Generation: 3, Form: Spec, Reference: ref, Account: "reader", URL: "https://x", Phase: Ready,
				Condition: &Condition{Status: "True", Reason: "MountReady", Message: "m", Since: since}}},
		"kcp's": {KCP, `{metadata: {name: w, annotations: {experimental.tenancy.kcp.io/owner: '{"username":"ann","groups":["b","a"]}', kcp.io/path: root:org}},
			spec: {mount: {ref: {apiVersion: a/v1, kind: K, name: one, namespace: s}, serviceAccountName: reader}},
			status: {conditions: [{type: WorkspaceScheduled, status: "False"}]}}`,
			Workspace{Name: "w", Form: Spec, Reference: ref, Owner: Owner{Username: "ann", Groups: []string{"a", "b"}}, Parent: "root:org", HeldDown: "WorkspaceScheduled"}},
		"an owner that cannot be read": {KCP, `{metadata: {name: w, annotations: {experimental.tenancy.kcp.io/owner: '{"username":7}'}}}`, Workspace{Name: "w", Owner: Owner{Unreadable: true}}},
		"an owner without a name":      {KCP, `{metadata: {name: w, annotations: {experimental.tenancy.kcp.io/owner: '{}'}}}`, Workspace{Name: "w", Owner: Owner{Unreadable: true}}},
		"not mounted":                  {KCP, `{metadata: {name: w}, spec: {URL: "https://x", cluster: c}}`, Workspace{Name: "w", URL: "https://x"}},
		"being deleted":                {KCP, `{metadata: {name: w, deletionTimestamp: "2026-03-01T12:00:00Z"}}`, Workspace{Name: "w", Deleting: true}},
		"the older form":               {KCP, legacy, Workspace{Name: "w", Form: Annotation, Reference: ref}},
		"the older form in Plait's":    {Plait, legacy, Workspace{Name: "w"}},
		"the older form, with a cluster": {KCP, legacy[:len(legacy)-1] + `, spec: {cluster: c, URL: "https://own"}}`,
			Workspace{Name: "w", Form: Annotation, Reference: ref, URL: "https://old"}},
		"both forms": {KCP, legacy[:len(legacy)-1] + `, spec: {URL: "https://x", mount: {ref: {}}}}`, Workspace{Name: "w", Form: Both, URL: "https://x",
			Fault: invalid("MountConflict", "the Workspace has both spec.mount and the annotation experimental.tenancy.kcp.io/mount: remove the annotation")}},
		"no JSON": {KCP, `{metadata: {name: w, annotations: {experimental.tenancy.kcp.io/mount: "{}{"}}}`, Workspace{Name: "w", Form: Annotation,
			Fault: invalid("MountAnnotationInvalid", "the annotation experimental.tenancy.kcp.io/mount cannot be read: there is more after the object, at byte 3")}},
		"a mount without a reference": {KCP, `{metadata: {name: w}, spec: {mount: {}}}`, Workspace{Name: "w", Form: Spec, Fault: invalid("MountReferenceInvalid", "spec.mount.ref is missing")}},
		"a mount that is text":        {KCP, `{metadata: {name: w}, spec: {mount: x}}`, Workspace{Name: "w", Form: Spec, Fault: invalid("MountReferenceInvalid", "spec.mount is text, not an object")}},
		"a reference that is a list":  {KCP, `{metadata: {name: w}, spec: {mount: {ref: []}}}`, Workspace{Name: "w", Form: Spec, Fault: invalid("MountReferenceInvalid", "spec.mount.ref is a list, not an object")}},
		"a kind that is a number":     {KCP, `{metadata: {name: w}, spec: {mount: {ref: {kind: 7}}}}`, Workspace{Name: "w", Form: Spec, Fault: invalid("MountReferenceInvalid", noClouds)}},
		"everything of other shapes":  {KCP, `{metadata: {name: w}, spec: [1], status: 7}`, Workspace{Name: "w"}},
		"fields of other shapes": {KCP, `{metadata: {name: w}, spec: {URL: 1}, status: {phase: {}, conditions: [x, {type: 1}, {type: WorkspaceMountReady, lastTransitionTime: soon, message: []}]}}`,
			Workspace{Name: "w", Condition: &Condition{}}},
	}
	for name, tt := range tests {
		tt.want.API = tt.api
		got := Read(tt.api, object(t, tt.text))
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(Workspace{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestReferenceFault(t *testing.T) {
	const invalidVersion = " is no apiVersion: write group/version, such as infra.example.com/v1alpha1"
	good := Reference{APIVersion: "infra.example.com/v1", Kind: "Cluster", Name: "a"}
	with := func(change func(*Reference)) Reference {
		r := good
		change(&r)
		return r
	}
	for _, tt := range []struct {
		ref  Reference
		want string
	}{
		{good, ""},
		{with(func(r *Reference) { r.APIVersion, r.Namespace, r.Name = "v1", "team-a", "a.b:c" }), ""},
		{with(func(r *Reference) { r.APIVersion = "" }), "the reference has no apiVersion"},
		{with(func(r *Reference) { r.Kind = "" }), "the reference has no kind"},
		{with(func(r *Reference) { r.Name = "" }), "the reference has no name"},
		{with(func(r *Reference) { r.APIVersion = "too/many/slashes" }), `"too/many/slashes"` + invalidVersion},
		{with(func(r *Reference) { r.APIVersion = "/v1" }), `"/v1"` + invalidVersion},
		{with(func(r *Reference) { r.APIVersion = "a.b/" }), `"a.b/"` + invalidVersion},
		{with(func(r *Reference) { r.APIVersion = "A_B/v1" }), `"A_B/v1"` + invalidVersion},
		{with(func(r *Reference) { r.Kind = "Clu/ster" }), `"Clu/ster" is no kind: write it as the definition does, such as TenantCluster`},
		{with(func(r *Reference) { r.Name = "../secrets" }), `"../secrets" is no name of an object: it may not contain '/'`},
		{with(func(r *Reference) { r.Name = ".." }), `".." is no name of an object: it may not be '..'`},
		{with(func(r *Reference) { r.Namespace = "Team A" }), `"Team A" is no name of a namespace`},
	} {
		if diff := cmp.Diff(tt.want, tt.ref.Fault()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.ref, diff)
		}
	}
}

func TestParseAPI(t *testing.T) {
	for _, want := range []API{Plait, KCP} {
		if got, err := ParseAPI(want.String()); got != want || err != nil {
			t.Errorf("%s is read as %v, %v", want, got, err)
		}
	}
	if _, err := ParseAPI("plait.run/v2"); err == nil {
		t.Error("an unknown version passes")
	}
}

func TestQuote(t *testing.T) {
	long := "ä234567890123456789012345678901234567890123456789012345678901234567890"
	for text, want := range map[string]string{"a": `"a"`, "a\"\n": `"a\"\n"`, long: `"` + long[:64] + `…"`} {
		if got := Quote(text); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
