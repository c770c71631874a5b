package deploy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	lua "github.com/yuin/gopher-lua"
	"sigs.k8s.io/yaml"
)

// TestArgoHealth runs the health script as Argo CD does, on objects in every state.
func TestArgoHealth(t *testing.T) {
	const fresh = "metadata: {generation: 2}\nstatus: {observedGeneration: 2, conditions: ["
	tests := map[string]struct{ object, status, message string }{
		"never looked at":       {"metadata: {generation: 1}", "Progressing", "nobody has looked at it yet"},
		"the default of status": {"metadata: {generation: 1}\nstatus: {observedGeneration: -1}", "Progressing", "the last change has not been looked at yet"},
		"changed": {
			"metadata: {generation: 3}\nstatus: {observedGeneration: 2, conditions: [{type: Ready, status: 'True', message: all}]}",
			"Progressing", "the last change has not been looked at yet",
		},
		"no conditions": {"metadata: {generation: 2}\nstatus: {observedGeneration: 2}", "Progressing", "nobody has looked at it yet"},
		"active":        {fresh + "{type: Ready, status: 'True', message: everything is ready}]}", "Healthy", "everything is ready"},
		"in progress": {
			fresh + "{type: Ready, status: 'False', message: waiting for db}, {type: Reconciling, status: 'True'}]}", "Progressing", "waiting for db",
		},
		"failed": {
			fresh + "{type: Ready, status: 'False', message: no right}, {type: Stalled, status: 'True'}]}", "Degraded", "no right",
		},
		"lowered by its author": {fresh + "{type: Ready, status: 'False', message: too few}]}", "Degraded", "too few"},
		"unknown":               {fresh + "{type: Ready, status: Unknown}]}", "Progressing", ""},
		"suspended": {
			fresh + "{type: Ready, status: 'True', message: all}, {type: Suspended, status: 'True'}]}", "Suspended", "all",
		},
		"going": {
			"metadata: {generation: 2, deletionTimestamp: now}\nstatus: {observedGeneration: 2, conditions: [{type: Ready, status: 'False', message: deleting}]}",
			"Progressing", "deleting",
		},
	}
	script := read(t, "argocd/health.lua")
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var object any
			if err := yaml.Unmarshal([]byte(tt.object), &object); err != nil {
				t.Fatal(err)
			}
			state := lua.NewState()
			defer state.Close()
			state.SetGlobal("obj", luaValue(state, object))
			if err := state.DoString(script); err != nil {
				t.Fatal(err)
			}
			health, ok := state.Get(-1).(*lua.LTable)
			if !ok {
				t.Fatalf("the script gives %s", state.Get(-1).Type())
			}
			got := [2]string{health.RawGetString("status").String(), health.RawGetString("message").String()}
			if diff := cmp.Diff([2]string{tt.status, tt.message}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func luaValue(state *lua.LState, value any) lua.LValue {
	switch v := value.(type) {
	case map[string]any:
		table := state.NewTable()
		for key, item := range v {
			table.RawSetString(key, luaValue(state, item))
		}
		return table
	case []any:
		table := state.NewTable()
		for _, item := range v {
			table.Append(luaValue(state, item))
		}
		return table
	case string:
		return lua.LString(v)
	case float64:
		return lua.LNumber(v)
	case bool:
		return lua.LBool(v)
	default:
		return lua.LNil
	}
}
