package identity_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-run/plait/dynamiccontroller/identity"
)

func TestChoose(t *testing.T) {
	account := func(namespace, name string) identity.Identity {
		return identity.Identity{Namespace: namespace, Name: name}
	}
	both := map[string]string{"team-a": "deployer", "*": "fallback"}
	engine := identity.Settings{EngineNamespace: "plait-system"}
	open := identity.Settings{AllowActingAsSelf: true, EngineNamespace: "plait-system"}
	byDefault := identity.Settings{DefaultServiceAccount: "plait", AllowActingAsSelf: true}
	tests := map[string]struct {
		policies  map[string]string
		settings  identity.Settings
		namespace string
		want      identity.Identity
		refused   string // part of the message
	}{
		"exact":                        {policies: both, namespace: "team-a", want: account("team-a", "deployer")},
		"fallback":                     {policies: both, namespace: "team-b", want: account("team-b", "fallback")},
		"not in the map":               {policies: map[string]string{"team-a": "x"}, settings: open, namespace: "team-b", refused: `namespace "team-b"`},
		"empty map":                    {policies: map[string]string{}, settings: byDefault, namespace: "team-a", refused: "spec.defaultServiceAccounts"},
		"empty name":                   {policies: map[string]string{"team-a": ""}, namespace: "team-a", refused: "no name"},
		"name with a namespace":        {policies: map[string]string{"team-a": "b/x"}, namespace: "team-a", refused: "plain name"},
		"no map":                       {namespace: "team-a", settings: engine, refused: "spec.defaultServiceAccounts"},
		"no map, default":              {settings: byDefault, namespace: "team-a", want: account("team-a", "plait")},
		"no map, self":                 {settings: open, namespace: "team-a", want: identity.Identity{Self: true}},
		"kube-system":                  {policies: both, namespace: "kube-system", refused: "never used"},
		"kube-system by default":       {settings: byDefault, namespace: "kube-public", refused: "never used"},
		"engine's namespace":           {policies: both, settings: engine, namespace: "plait-system", refused: "never used"},
		"cluster-scoped":               {policies: map[string]string{"": "ops/admin"}, want: account("ops", "admin")},
		"cluster-scoped, fallback":     {policies: both, refused: "cluster-scoped"},
		"cluster-scoped, no namespace": {policies: map[string]string{"": "admin"}, refused: "namespace/name"},
		"cluster-scoped, kube-system":  {policies: map[string]string{"": "kube-system/admin"}, refused: "never used"},
		"cluster-scoped, three parts":  {policies: map[string]string{"": "a/b/c"}, refused: "no name"},
		"cluster-scoped, default":      {settings: identity.Settings{DefaultServiceAccount: "plait"}, refused: "cluster-scoped"},
		"cluster-scoped, self":         {settings: open, want: identity.Identity{Self: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, refusal := identity.Choose(tt.policies, tt.settings, tt.namespace)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("identity (-want +got):\n%s", diff)
			}
			if (refusal != nil) != (tt.refused != "") {
				t.Fatalf("refusal %v, want one: %v", refusal, tt.refused != "")
			}
			if refusal != nil && (refusal.Reason != "NoServiceAccount" || !strings.Contains(refusal.Message, tt.refused)) {
				t.Errorf("refusal %+v, want NoServiceAccount with %q", refusal, tt.refused)
			}
		})
	}
}

func TestIdentity(t *testing.T) {
	id := identity.Identity{Namespace: "a", Name: "b"}
	if id.String() != "a/b" || id.Username() != "system:serviceaccount:a:b" {
		t.Errorf("%q %q", id.String(), id.Username())
	}
	if self := (identity.Identity{Self: true}).String(); self != "" {
		t.Errorf("the engine itself is %q, want empty", self)
	}
}

func TestLends(t *testing.T) {
	for namespace, want := range map[string]bool{"team-a": true, "kube-system": false, "plait-system": false} {
		if got := (identity.Settings{EngineNamespace: "plait-system"}).Lends(namespace); got != want {
			t.Errorf("accounts of %s are lent: %v", namespace, got)
		}
	}
}

func TestRecorded(t *testing.T) {
	settings := identity.Settings{EngineNamespace: "plait-system"}
	cases := map[string]struct {
		account, namespace string
		want               identity.Identity // zero: it can never have acted
	}{
		"of the namespace":  {"team-a/deployer", "team-a", identity.Identity{Namespace: "team-a", Name: "deployer"}},
		"of another":        {"team-b/deployer", "team-a", identity.Identity{}},
		"none":              {"", "team-a", identity.Identity{}},
		"no namespace":      {"deployer", "", identity.Identity{}},
		"cluster-scoped":    {"team-b/deployer", "", identity.Identity{Namespace: "team-b", Name: "deployer"}},
		"of the system":     {"kube-system/admin", "", identity.Identity{}},
		"of the engine":     {"plait-system/plait", "", identity.Identity{}},
		"a name with parts": {"team-a/a/b", "team-a", identity.Identity{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := settings.Recorded(c.account, c.namespace)
			if got != c.want || ok != (c.want != identity.Identity{}) {
				t.Errorf("%v, %t; want %v", got, ok, c.want)
			}
		})
	}
}
