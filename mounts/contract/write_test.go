package contract

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	workspaceText = `{metadata: {name: w, uid: u, resourceVersion: "7"}, spec: {URL: "https://x", mount: {ref: {}}}, status: {phase: Ready,
		conditions: [{type: A, status: "True", odd: 1}, {type: WorkspaceMountReady, status: "True", reason: MountReady, lastTransitionTime: "2026-03-01T12:00:00Z"}, {type: B, status: "False"}]}}`
	bareText = `{metadata: {name: w, uid: u, resourceVersion: "7"}, spec: {mount: {ref: {}}}}`
)

func TestStatusPatch(t *testing.T) {
	later := since.Add(time.Hour)
	same := &Condition{Status: "True", Reason: "MountReady"}
	down := &Condition{Status: "False", Severity: "Warning", Reason: "MountObjectNotFound", Message: "gone"}
	const head, versions = `{"metadata":{"resourceVersion":"7","uid":"u"},"status":{`, `}}`
	tests := map[string]struct {
		text string
		want State
		json string // empty: no patch
	}{
		"nothing differs":   {workspaceText, State{Condition: same, Phase: Ready}, ""},
		"the phase is left": {workspaceText, State{Condition: same}, ""},
		"only the phase":    {workspaceText, State{Condition: same, Phase: Unavailable}, head + `"phase":"Unavailable"` + versions},
		"others stay as they are, in their place": {workspaceText, State{Condition: down, Phase: Unavailable}, head +
			`"conditions":[{"odd":1,"status":"True","type":"A"},{"lastTransitionTime":"2026-03-01T13:00:00Z","message":"gone","reason":"MountObjectNotFound","severity":"Warning","status":"False","type":"WorkspaceMountReady"},{"status":"False","type":"B"}],"phase":"Unavailable"` + versions},
		"the same status keeps its time": {workspaceText, State{Condition: &Condition{Status: "True", Reason: "Other"}}, head +
			`"conditions":[{"odd":1,"status":"True","type":"A"},{"lastTransitionTime":"2026-03-01T12:00:00Z","reason":"Other","status":"True","type":"WorkspaceMountReady"},{"status":"False","type":"B"}]` + versions},
		"it is taken away": {workspaceText, State{}, head + `"conditions":[{"odd":1,"status":"True","type":"A"},{"status":"False","type":"B"}]` + versions},
		"the first":        {bareText, State{Condition: same, Phase: Ready}, head + `"conditions":[{"lastTransitionTime":"2026-03-01T13:00:00Z","reason":"MountReady","status":"True","type":"WorkspaceMountReady"}],"phase":"Ready"` + versions},
		"there is none":    {bareText, State{}, ""},
	}
	for name, tt := range tests {
		u := object(t, tt.text)
		patch, err := StatusPatch(u, Read(Plait, u), tt.want, later)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.json, string(patch)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(object(t, tt.text), u); diff != "" {
			t.Errorf("%s: what was given is changed (-want +got):\n%s", name, diff)
		}
	}
}

func TestMainPatch(t *testing.T) {
	const versions = `"resourceVersion":"7","uid":"u"`
	annotated := func(rest string) string {
		return `{metadata: {name: w, uid: u, resourceVersion: "7", annotations: {experimental.tenancy.kcp.io/mount: '{"spec":{"ref":{"name":"n"}},"x":1}'}}, spec: {` + rest + `}}`
	}
	const up = `"annotations":{"experimental.tenancy.kcp.io/mount":"{\"spec\":{\"ref\":{\"name\":\"n\"}},\"status\":{\"phase\":\"Ready\",\"url\":\"https://x\"},\"x\":1}"}`
	tests := map[string]struct {
		api  API
		text string
		want State
		json string // empty: no patch
	}{
		"nothing differs":                   {Plait, workspaceText, State{URL: "https://x", AnnotationPhase: Ready}, ""},
		"the URL is left":                   {Plait, workspaceText, State{}, ""},
		"another URL":                       {Plait, workspaceText, State{URL: "https://y"}, `{"metadata":{` + versions + `},"spec":{"URL":"https://y"}}`},
		"the older form":                    {KCP, annotated(""), State{URL: "https://x", AnnotationPhase: Ready}, `{"metadata":{` + up + `,` + versions + `},"spec":{"URL":"https://x"}}`},
		"the older form with its own place": {KCP, annotated(`cluster: c, URL: "https://own"`), State{URL: "https://x", AnnotationPhase: Ready}, `{"metadata":{` + up + `,` + versions + `}}`},
		"the older form, unreadable":        {KCP, `{metadata: {name: w, annotations: {experimental.tenancy.kcp.io/mount: "{"}}}`, State{AnnotationPhase: Unavailable}, ""},
	}
	for name, tt := range tests {
		u := object(t, tt.text)
		patch, err := MainPatch(u, Read(tt.api, u), tt.want)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.json, string(patch)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
