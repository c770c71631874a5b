package contract

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadMount(t *testing.T) {
	ready := func(url string) Mount { return Mount{Ready: true, URL: url} }
	down := func(why string) Mount { return Mount{Why: why} }
	tests := map[string]struct {
		text string // of a generation 3
		want Mount
	}{
		"phase":                                {`status: {phase: Ready, URL: "https://a"}`, ready("https://a")},
		"URL wins over url":                    {`status: {phase: Ready, URL: "https://a", url: "https://b"}`, ready("https://a")},
		"url":                                  {`status: {phase: Ready, url: "https://b"}`, ready("https://b")},
		"an empty URL is none":                 {`status: {phase: Ready, URL: "", url: "https://b"}`, ready("https://b")},
		"a URL of another shape":               {`status: {phase: Ready, URL: 7, url: "https://b"}`, Mount{Ready: true, URLFault: "status.URL is a number, not text"}},
		"a url of another shape":               {`status: {phase: Ready, url: [x]}`, Mount{Ready: true, URLFault: "status.url is a list, not text"}},
		"another phase":                        {`status: {phase: ready, URL: "https://a"}`, Mount{Why: `its status.phase is "ready", and only "Ready" counts`, URL: "https://a"}},
		"an empty phase":                       {`status: {phase: ""}`, down(`its status.phase is "", and only "Ready" counts`)},
		"a phase of another shape":             {`status: {phase: {a: b}}`, down("its status.phase is an object, not text")},
		"phase before condition":               {`status: {phase: Broken, conditions: [{type: Ready, status: "True", observedGeneration: 3}]}`, down(`its status.phase is "Broken", and only "Ready" counts`)},
		"no status":                            {`spec: {}`, down("it has no status yet")},
		"an empty status":                      {`status: {}`, down("it has no status yet")},
		"a status of another shape":            {`status: [a]`, down("its status is a list, not an object")},
		"nothing that says":                    {`status: {replicas: 3}`, down("it has neither status.phase nor a condition Ready")},
		"condition":                            {`status: {url: "https://a", conditions: [{type: Other, status: "False"}, {type: Ready, status: "True", observedGeneration: 3}]}`, ready("https://a")},
		"condition of the status's generation": {`status: {observedGeneration: 3, conditions: [{type: Ready, status: "True"}]}`, ready("")},
		"condition of before":                  {`status: {observedGeneration: 3, conditions: [{type: Ready, status: "True", observedGeneration: 2}]}`, down("its condition Ready does not speak of its generation 3")},
		"condition without a generation":       {`status: {conditions: [{type: Ready, status: "True"}]}`, down("its condition Ready does not speak of its generation 3")},
		"a generation of another shape":        {`status: {conditions: [{type: Ready, status: "True", observedGeneration: "3"}]}`, down("its condition Ready does not speak of its generation 3")},
		"condition that is False":              {`status: {conditions: [{type: Ready, status: "False", reason: Why, message: so, observedGeneration: 3}]}`, down(`its condition Ready is "False" for "Why": "so"`)},
		"condition of another shape":           {`status: {conditions: {Ready: true}}`, down("it has neither status.phase nor a condition Ready")},
		"instance":                             {`status: {state: ACTIVE, URL: "https://a"}`, ready("https://a")},
		"instance whose spec has changed":      {`status: {state: ACTIVE, observedGeneration: 2, conditions: [{type: Ready, status: "True", observedGeneration: 2}]}`, ready("")},
		"instance in progress":                 {`status: {state: IN_PROGRESS}`, down(`its status.state is "IN_PROGRESS", and only "ACTIVE" counts`)},
		"instance that its author lowers":      {`status: {state: ACTIVE, conditions: [{type: Ready, status: "False", reason: Full, observedGeneration: 3}]}`, down(`its condition Ready is "False" for "Full"`)},
	}
	for name, tt := range tests {
		if diff := cmp.Diff(tt.want, ReadMount(object(t, "metadata: {name: a, generation: 3}\n"+tt.text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOwningWorkspace(t *testing.T) {
	for value, want := range map[string]string{
		`{"apiVersion":"tenancy.kcp.io/v1alpha1","kind":"Workspace","name":"w","uid":"u"}`: "tenancy.kcp.io/v1alpha1 w",
		`{"apiVersion":"tenancy.kcp.io/v1alpha1","kind":"Pod","name":"w"}`:                 "",
		`{"apiVersion":"a/b/c","kind":"Workspace","name":"w"}`:                             "",
		`{"kind":"Workspace"}`: "", `{`: "", `7`: "", "": "",
	} {
		u := object(t, "metadata: {name: a}")
		u.SetAnnotations(map[string]string{"experimental.tenancy.kcp.io/owning-workspace": value})
		got := ""
		if api, name, ok := OwningWorkspace(u); ok {
			got = api.String() + " " + name
		}
		if got != want {
			t.Errorf("%s names %q, want %q", value, got, want)
		}
	}
}
