package mounts

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/mounts/contract"
)

// TestReader has who an object is read for, in each API.
func TestReader(t *testing.T) {
	spaced, free := eu1, contract.Reference{APIVersion: "infra.example.com/v1", Kind: "Zone", Name: "z"}
	tests := map[string]struct {
		workspace contract.Workspace
		self      bool
		who       string // empty: nobody
		why       string // words of it
	}{
		"an account":                    {contract.Workspace{API: contract.Plait, Reference: spaced, Account: "reader"}, true, `the service account "infra/reader"`, ""},
		"with its namespace":            {contract.Workspace{API: contract.Plait, Reference: spaced, Account: "infra/reader"}, false, `the service account "infra/reader"`, ""},
		"of another namespace":          {contract.Workspace{API: contract.Plait, Reference: spaced, Account: "other/reader"}, false, "", "not of the object's namespace"},
		"for an object of no namespace": {contract.Workspace{API: contract.Plait, Reference: free, Account: "ops/reader"}, false, `the service account "ops/reader"`, ""},
		"without the namespace":         {contract.Workspace{API: contract.Plait, Reference: free, Account: "reader"}, false, "", "write namespace/name"},
		"of the system":                 {contract.Workspace{API: contract.Plait, Reference: free, Account: "kube-system/reader"}, true, "", "never used"},
		"of the engine":                 {contract.Workspace{API: contract.Plait, Reference: free, Account: "plait-system/plait"}, true, "", "never used"},
		"none, and it is needed":        {contract.Workspace{API: contract.Plait, Reference: spaced}, false, "", "set spec.mount.serviceAccountName"},
		"none":                          {contract.Workspace{API: contract.Plait, Reference: spaced}, true, "self", ""},
		"kcp records an owner":          {contract.Workspace{API: contract.KCP, Reference: spaced, Owner: contract.Owner{Username: "ann"}}, false, `the owner "ann"`, ""},
		"kcp records none":              {contract.Workspace{API: contract.KCP, Reference: spaced}, false, "self", ""},
		"kcp's record is unreadable":    {contract.Workspace{API: contract.KCP, Reference: spaced, Owner: contract.Owner{Unreadable: true}}, true, "", "cannot be read"},
	}
	for name, tt := range tests {
		c := &Controller{cfg: Config{Settings: identity.Settings{AllowActingAsSelf: tt.self, EngineNamespace: "plait-system"}}}
		who, why := c.reader(tt.workspace)
		got := ""
		switch {
		case why == "" && who.account.Self:
			got = "self"
		case why == "":
			got = who.String()
		}
		if got != tt.who || (why == "") != (tt.why == "") || !strings.Contains(why, tt.why) {
			t.Errorf("%s: it is read for %q, or not since %q; want %q, %q", name, got, why, tt.who, tt.why)
		}
	}
}

// granting answers by the name that is asked for.
type granting struct {
	names map[string]bool
	err   error
	asked []string
}

func (g *granting) May(_ context.Context, _ identity.Identity, r identity.Request) (bool, string, error) {
	g.asked = append(g.asked, "account "+r.Name)
	return g.names[r.Name], "", g.err
}

func (g *granting) SubjectMay(_ context.Context, _ identity.Subject, r identity.Request) (bool, string, error) {
	g.asked = append(g.asked, "owner "+r.Name)
	return g.names[r.Name], "", g.err
}

func (g *granting) Forget(identity.Identity)       {}
func (g *granting) ForgetSubject(identity.Subject) {}

func TestAsk(t *testing.T) {
	account := reader{account: identity.Identity{Namespace: "infra", Name: "reader"}}
	owner := reader{owner: contract.Owner{Username: "ann"}}
	refused := apierrors.NewForbidden(schema.GroupResource{}, "", errors.New("no"))
	tests := map[string]struct {
		who     reader
		granted granting
		why     string
		asked   []string
	}{
		"all objects":              {account, granting{names: map[string]bool{"": true}}, "", []string{"account "}},
		"this object":              {owner, granting{names: map[string]bool{"eu-1": true}}, "", []string{"owner ", "owner eu-1"}},
		"none":                     {account, granting{}, `the service account "infra/reader" may not get Cluster "infra/eu-1": grant the verb get on clusters.infra.example.com`, []string{"account ", "account eu-1"}},
		"the engine may not be it": {account, granting{err: refused}, `the engine may not impersonate the service account "infra/reader", as which it asks whether the object may be read`, []string{"account "}},
		"the engine may not ask":   {owner, granting{err: refused}, "the engine may not create subjectaccessreviews, by which it asks what the owner of the Workspace may do", []string{"owner "}},
	}
	for name, tt := range tests {
		c := &Controller{cfg: Config{Accounts: &tt.granted, Owners: &tt.granted}}
		why, err := c.ask(t.Context(), tt.who, eu1, clusters)
		if why != tt.why || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, why, err, tt.why)
		}
		if diff := cmp.Diff(tt.asked, tt.granted.asked); diff != "" {
			t.Errorf("%s: questions (-want +got):\n%s", name, diff)
		}
	}
	c := &Controller{cfg: Config{Accounts: &granting{err: errors.New("no connection")}}}
	if why, err := c.ask(t.Context(), account, eu1, clusters); err == nil || why != "" {
		t.Errorf("without a connection: %q, %v", why, err)
	}
}
