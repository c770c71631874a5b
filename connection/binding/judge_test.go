package binding

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/sync"
)

func connectionNamed(name, ready string) *v1alpha1.Connection {
	out := &v1alpha1.Connection{ObjectMeta: metav1.ObjectMeta{Name: name}}
	out.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: metav1.ConditionStatus(ready), Message: "the provider does not answer"}}
	return out
}

func exported(state v1alpha1.ExportedAPIState) *v1alpha1.ExportedAPI {
	return &v1alpha1.ExportedAPI{Name: "databases.x", Scope: v1alpha1.ScopeNamespaced, Versions: []string{"v2", "v1"}, State: state}
}

// bound is an API that all is well with.
func bound() facts {
	return facts{
		name: "databases.x", recorded: true, policy: v1alpha1.BindingDeletionRetain, connection: connectionNamed("acme", "True"), isAllowed: true,
		hasProvider: true, exported: exported(v1alpha1.ExportedAPIInstalled),
		definition: &definition{connection: "acme", storage: "v1", served: []string{"v1"}},
	}
}

func TestJudge(t *testing.T) {
	with := func(change func(*facts)) facts {
		f := bound()
		change(&f)
		return f
	}
	tests := map[string]struct {
		facts  facts
		state  v1alpha1.BoundAPIState
		reason v1alpha1.Reason
		mode   string // empty: it does not run
	}{
		"bound":                          {bound(), "Bound", "AsExpected", "copying"},
		"new":                            {with(func(f *facts) { f.recorded = false }), "Bound", "AsExpected", "copying"},
		"no Connection":                  {with(func(f *facts) { f.connection = nil }), "Pending", "ConnectionNotFound", ""},
		"not allowed":                    {with(func(f *facts) { f.isAllowed = false }), "Pending", "NamespaceNotAllowed", "holding"},
		"never allowed":                  {with(func(f *facts) { f.isAllowed, f.recorded = false, false }), "Pending", "NamespaceNotAllowed", ""},
		"bound elsewhere":                {with(func(f *facts) { f.rival, f.isKept = `ClusterBinding "x"`, true }), "Conflict", "APIBoundElsewhere", ""},
		"bound by one namespace":         {with(func(f *facts) { f.rival, f.kept = `Binding "n/x"`, []string{"n"} }), "Conflict", "APIBoundElsewhere", "holding"},
		"not exported":                   {with(func(f *facts) { f.exported, f.definition = nil, nil }), "Pending", "APINotExported", ""},
		"not discovered yet":             {with(func(f *facts) { f.exported, f.definition, f.connection = nil, nil, connectionNamed("acme", "False") }), "Pending", "ConnectionNotReady", ""},
		"not discovered, bound before":   {with(func(f *facts) { f.exported = nil }), "Pending", "APINotExported", "holding"},
		"cluster-scoped, ClusterBinding": {with(func(f *facts) { f.exported.Scope = v1alpha1.ScopeCluster }), "Bound", "AsExpected", "copying"},
		"cluster-scoped, Binding":        {with(func(f *facts) { f.exported.Scope, f.namespaced = v1alpha1.ScopeCluster, true }), "Unsupported", "ClusterScoped", ""},
		"not installed yet":              {with(func(f *facts) { f.exported, f.definition, f.recorded = exported("Available"), nil, false }), "Pending", "Syncing", ""},
		"definition is not seen yet":     {with(func(f *facts) { f.definition = nil }), "Pending", "Syncing", ""},
		"definition of another":          {with(func(f *facts) { f.definition.connection = "other" }), "Pending", "Syncing", ""},
		"update conflicts":               {with(func(f *facts) { f.exported = exported("Conflict"); f.exported.Reason = "BreakingChange" }), "Conflict", "BreakingChange", "copying"},
		"conflict from the start":        {with(func(f *facts) { f.exported = exported("Conflict"); f.definition.connection = "" }), "Conflict", "", ""},
		"update is invalid":              {with(func(f *facts) { f.exported = exported("Invalid") }), "Invalid", "", "copying"},
		"unsupported":                    {with(func(f *facts) { f.exported, f.definition = exported("Unsupported"), nil }), "Unsupported", "", ""},
		"withdrawn":                      {with(func(f *facts) { f.exported = exported("Withdrawn") }), "Withdrawn", "APIWithdrawn", "holding"},
		"no way to the provider":         {with(func(f *facts) { f.hasProvider = false }), "Pending", "ConnectionNotReady", ""},
		"abandoned":                      {with(func(f *facts) { f.connection.Spec.Abandon, f.hasProvider = true, false }), "Bound", "AsExpected", "releasing"},
		"leaves":                         {with(func(f *facts) { f.leaves = true }), "Pending", "ReleasingObjects", "releasing"},
		"leaves, no provider":            {with(func(f *facts) { f.leaves, f.hasProvider = true, false }), "Pending", "ReleasingObjects", "releasing"},
		"leaves, Delete":                 {with(func(f *facts) { f.leaves, f.policy = true, "Delete" }), "Pending", "ReleasingObjects", "removing"},
		"leaves, Delete, no provider":    {with(func(f *facts) { f.leaves, f.policy, f.hasProvider = true, "Delete", false }), "Pending", "ReleasingObjects", ""},
		"leaves, Delete, abandoned":      {with(func(f *facts) { f.leaves, f.policy, f.connection.Spec.Abandon = true, "Delete", true }), "Pending", "ReleasingObjects", "releasing"},
		"leaves, Delete, no Connection":  {with(func(f *facts) { f.leaves, f.policy, f.connection = true, "Delete", nil }), "Pending", "ReleasingObjects", "releasing"},
		"leaves, no definition":          {with(func(f *facts) { f.leaves, f.definition = true, nil }), "", "", "done"},
		"leaves, bound elsewhere":        {with(func(f *facts) { f.leaves, f.policy, f.isKept = true, "Delete", true }), "", "", "done"},
		"leaves, never begun":            {with(func(f *facts) { f.leaves, f.recorded = true, false }), "", "", "done"},
	}
	modes := map[sync.Mode]string{sync.Copying: "copying", sync.Holding: "holding", sync.Removing: "removing", sync.Releasing: "releasing"}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := judge(tt.facts)
			mode := ""
			switch {
			case got.done:
				mode = "done"
			case got.runs:
				mode = modes[got.mode]
			}
			if got.state != tt.state || got.reason != tt.reason || mode != tt.mode {
				t.Errorf("%s/%s %q, want %s/%s %q", got.state, got.reason, mode, tt.state, tt.reason, tt.mode)
			}
			if got.state != "" && got.reason != "" && got.reason != "AsExpected" && got.reason != "BreakingChange" && got.message == "" {
				t.Error("nothing is said about it")
			}
		})
	}
}

func TestVersion(t *testing.T) {
	tests := map[string]struct {
		versions, served []string
		want             string
	}{
		"the preferred one":          {[]string{"v2", "v1"}, []string{"v1", "v2"}, "v2"},
		"the first that both serve":  {[]string{"v3", "v1"}, []string{"v1", "v2"}, "v1"},
		"none in common":             {[]string{"v3"}, []string{"v1"}, "storage"},
		"the provider does not tell": {nil, []string{"v1"}, "storage"},
	}
	for name, tt := range tests {
		f := bound()
		f.exported.Versions, f.definition.served, f.definition.storage = tt.versions, tt.served, "storage"
		if got := f.version(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestSelected(t *testing.T) {
	labelled := func(value string) v1alpha1.RelatedSelector {
		return v1alpha1.RelatedSelector{LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"a": value}}}
	}
	all := []v1alpha1.RelatedResource{
		{Resource: "secrets", Direction: "FromProvider", Selector: v1alpha1.RelatedSelector{Names: []string{"y", "x"}}},
		{Resource: "secrets", Direction: "FromProvider", Selector: v1alpha1.RelatedSelector{Names: []string{"x"}}},
		{Resource: "secrets", Direction: "FromConsumer", Selector: labelled("2")},
		{Resource: "secrets", Direction: "FromConsumer", Selector: labelled("1")},
		{Resource: "configmaps", Direction: "FromProvider", Selector: v1alpha1.RelatedSelector{LabelSelector: &metav1.LabelSelector{}}},
	}
	tests := map[string]struct {
		resource  v1alpha1.RelatedResourceKind
		direction v1alpha1.SyncDirection
		want      *sync.Related
	}{
		"names":             {"secrets", "FromProvider", &sync.Related{FromProvider: true, Names: []string{"x", "y"}}},
		"labels":            {"secrets", "FromConsumer", &sync.Related{Selectors: []string{"a=1", "a=2"}}},
		"an empty selector": {"configmaps", "FromProvider", nil},
		"nothing":           {"configmaps", "FromConsumer", nil},
	}
	for name, tt := range tests {
		got, ok := selected(all, tt.resource, tt.direction)
		if ok != (tt.want != nil) {
			t.Errorf("%s: %v", name, ok)
		}
		if diff := cmp.Diff(tt.want, got); ok && diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestConditions(t *testing.T) {
	binding := ofCluster(&v1alpha1.ClusterBinding{Spec: v1alpha1.BindingSpec{APIs: []v1alpha1.BoundAPISpec{{Name: "databases.x"}}}})
	well := api{name: "databases.x", judgement: judgement{state: "Bound", reason: "AsExpected", runs: true}, reported: true, report: sync.Report{Running: true}}
	with := func(change func(*api)) api {
		a := well
		change(&a)
		return a
	}
	tests := map[string]struct {
		api  api
		want map[v1alpha1.ConditionType]string
	}{
		"well":        {well, map[v1alpha1.ConditionType]string{"Ready": "True/AsExpected", "Synced": "True/AsExpected", "Conflicts": "False/AsExpected", "PermissionDenied": "False/AsExpected"}},
		"being read":  {with(func(a *api) { a.report.Running = false }), map[v1alpha1.ConditionType]string{"Ready": "True/AsExpected", "Synced": "False/Syncing"}},
		"late":        {with(func(a *api) { a.report.Late = 2 }), map[v1alpha1.ConditionType]string{"Ready": "True/AsExpected", "Synced": "False/Syncing"}},
		"just moving": {with(func(a *api) { a.report.Moving = 2 }), map[v1alpha1.ConditionType]string{"Synced": "True/AsExpected"}},
		"refused":     {with(func(a *api) { a.report.Refused = 2 }), map[v1alpha1.ConditionType]string{"Ready": "True/AsExpected", "Synced": "False/ObjectsRefused"}},
		"conflicts":   {with(func(a *api) { a.report.Conflicts = 2 }), map[v1alpha1.ConditionType]string{"Conflicts": "True/Conflict", "Synced": "False/Conflict", "Ready": "True/AsExpected"}},
		"denied":      {with(func(a *api) { a.report.Denied = "no" }), map[v1alpha1.ConditionType]string{"PermissionDenied": "True/Forbidden", "Synced": "False/Forbidden", "Ready": "False/Forbidden"}},
		"not bound": {with(func(a *api) { a.judgement = pending(v1alpha1.ReasonAPINotExported, "no such API"); a.reported = false }),
			map[v1alpha1.ConditionType]string{"Ready": "False/APINotExported", "Synced": "False/APINotExported"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := conditionsOf(&pass{binding: binding, apis: []api{tt.api}})
			for kind, want := range tt.want {
				if v := got[kind]; string(v.status)+"/"+string(v.reason) != want || strings.TrimSpace(v.message) == "" {
					t.Errorf("%s is %v, want %s", kind, v, want)
				}
			}
		})
	}
}
