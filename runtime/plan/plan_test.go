package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWaves(t *testing.T) {
	tests := []struct {
		name     string
		children [][3]string // name, node, needs
		want     [][]string
	}{
		{name: "none"},
		{name: "independent ones go together", children: [][3]string{{"b", "b", ""}, {"a", "a", ""}}, want: [][]string{{"a", "b"}}},
		{
			name:     "dependents go first",
			children: [][3]string{{"db", "db", ""}, {"app", "app", "db"}, {"door", "door", "app,db"}},
			want:     [][]string{{"door"}, {"app"}, {"db"}},
		},
		{name: "needs without children do not count", children: [][3]string{{"app", "app", "gone"}, {"x", "x", "app"}}, want: [][]string{{"x"}, {"app"}}},
		{
			name:     "items of a collection go together",
			children: [][3]string{{"i1", "jobs", "db"}, {"i2", "jobs", "db"}, {"db", "db", ""}}, want: [][]string{{"i1", "i2"}, {"db"}},
		},
		{
			name:     "a circle goes last, together",
			children: [][3]string{{"a", "a", "b"}, {"b", "b", "a"}, {"c", "c", "a"}, {"d", "d", "d"}}, want: [][]string{{"c", "d"}, {"a", "b"}},
		},
		{name: "children without marks", children: [][3]string{{"x", "", ""}, {"y", "y", ""}}, want: [][]string{{"x", "y"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			children := map[Key]map[string]any{}
			for _, c := range tt.children {
				annotations := map[string]any{"plait.run/needs": c[2]}
				if c[1] != "" {
					annotations["plait.run/node"] = c[1]
				}
				children[Key{Kind: "ConfigMap", Name: c[0]}] = map[string]any{"metadata": map[string]any{"annotations": annotations}}
			}
			var got [][]string
			for _, wave := range Waves(children) {
				var names []string
				for _, key := range wave {
					names = append(names, key.Name)
				}
				got = append(got, names)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("waves (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSummarise(t *testing.T) {
	ready := Node{ID: "ok", State: Ready}
	waits := func(id string, what ...string) Node { return Node{ID: id, State: Waiting, WaitingFor: what} }
	failed := func(id string, passing bool) Node {
		return Node{ID: id, State: Failed, Reason: ReasonForbidden, Passing: passing, Message: "no"}
	}
	tests := []struct {
		name       string
		nodes      []Node
		conditions []Condition
		want       Summary
	}{
		{name: "no nodes", want: Summary{Active, "True", ReasonAvailable, "everything is ready"}},
		{
			name: "an author's Ready replaces ours", nodes: []Node{ready, {ID: "x", State: Excluded}},
			conditions: []Condition{{Type: "Ready", Status: "True", Reason: "Open", Message: "the kiosk is open"}},
			want:       Summary{Active, "True", "Open", "the kiosk is open"},
		}, {
			name: "an author's Ready lowers ours", nodes: []Node{ready},
			conditions: []Condition{{Type: "Other"}, {Type: "Ready", Status: "False", Reason: "Closed", Message: "closed"}},
			want:       Summary{Active, "False", "Closed", "closed"},
		}, {
			name: "an author's Ready says nothing while something is waited for", nodes: []Node{waits("app", "ok.status.url"), ready},
			conditions: []Condition{{Type: "Ready", Status: "True", Reason: "Open", Message: "open"}},
			want:       Summary{InProgress, "False", ReasonProgressing, "waiting for ok: status.url"},
		}, {
			name:  "what waits for something that waits is not told",
			nodes: []Node{waits("app", "db"), {ID: "db", State: Applied}, waits("x", "ConfigMap platform/facts"), waits("y", "ConfigMap platform/facts")},
			want:  Summary{InProgress, "False", ReasonProgressing, "waiting for db to be ready, ConfigMap platform/facts"},
		}, {
			name:  "three and a count",
			nodes: []Node{waits("a", "ok.data.a", `ok.data["b.c"]`), waits("b", "ok[0].x", "kind Database.db.example.com"), {ID: "c", State: Deleting}, ready},
			want: Summary{InProgress, "False", ReasonProgressing,
				`waiting for ok: data.a, ok: data["b.c"], ok: [0].x, and 2 more`},
		}, {
			name: "ERROR outweighs IN_PROGRESS", nodes: []Node{waits("a", "ok.x"), failed("b", true)},
			want: Summary{StateError, "False", ReasonForbidden, "b: no"},
		}, {
			name: "FAILED outweighs ERROR", nodes: []Node{failed("a", true), failed("b", false), failed("c", false)},
			want: Summary{StateFailed, "False", ReasonForbidden, "b: no; c: no"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Summarise(Plan{Nodes: tt.nodes, Conditions: tt.conditions})); diff != "" {
				t.Errorf("summary (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNeedsComeBackAsTheyWere(t *testing.T) {
	for _, want := range [][]string{nil, {"a"}, {"b", "a"}} {
		child := map[string]any{"metadata": map[string]any{"annotations": map[string]any{"plait.run/needs": FormatNeeds(want)}}}
		if diff := cmp.Diff(want, NeedsOf(child)); diff != "" {
			t.Errorf("needs (-want +got):\n%s", diff)
		}
	}
}
