package examples

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/cmd/plait/connect"
	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/cmd/plait/explain"
	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/progress"
	"github.com/plait-run/plait/cmd/plait/tree"
	"github.com/plait-run/plait/examples/provided-database/operator"
	"github.com/plait-run/plait/test/world"
)

// provider is the cluster whose API the examples of this file use.
var provider *world.World

// provided are the examples that use an API of a provider.
var provided = []example{
	{
		folder: "provided-database",
		change: func(spec map[string]any) { spec["database"] = map[string]any{"engine": "mysql", "size": "large"} },
		want: `
{apiVersion: db.example.com/v1, kind: Database, metadata: {name: bookshop}, spec: {engine: mysql, size: large}, status: {port: 3306}}
---
apiVersion: v1
kind: Secret
metadata: {name: bookshop-database}
data: {url: bXlzcWw6Ly9ib29rc2hvcC5kZWZhdWx0LmRhdGFiYXNlcy5leGFtcGxlLmNvbTozMzA2L2FwcA==}`,
		spoil: set("database", map[string]any{"engine": "oracle"}), spoiled: "database", waits: true,
	},
	{
		folder: "tenant-cluster/provided",
		change: set("host", "eu-10.tenants.example.com"),
		act:    lookThroughThree,
		want: `
apiVersion: plait.run/v1alpha1
kind: Workspace
metadata: {name: team-violet}
spec: {URL: https://eu-10.tenants.example.com}
status: {phase: Ready}`,
		spoil: set("store", "oracle"), spoiled: "store", waits: true,
		stays: []string{"plait.run/v1alpha1 Workspace team-violet"},
	},
}

// TestProvidedExamples runs the examples that use an API of a provider, which is another cluster with the operator.
func TestProvidedExamples(t *testing.T) {
	provider = world.New(t, cluster.Config{ControllerManager: true})
	theirs := person{provider, t}
	theirs.apply(theirs.read("provided-database", "provider.yaml"))
	runOperator(t)
	w := world.New(t, cluster.Config{ControllerManager: true, Pods: true})
	w.RunEngine(t, func(o *engine.Options) { o.ConnectionResync = time.Second })
	p := person{w, t}
	connectTo(p)
	for _, ex := range provided {
		t.Run(ex.folder, func(t *testing.T) {
			ex.run(t, person{w, t})
			theirs.nothingOf(t)
		})
	}
}

// runOperator runs the provider's operator until the end of the test.
func runOperator(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- operator.Run(ctx, provider.RESTConfig(), 0) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// connectTo does what plait connect does, as the README says.
func connectTo(p person) {
	p.t.Helper()
	namespace := engine.Defaults().SecretsNamespace
	if _, err := p.Apply(p.t.Context(), "", "{apiVersion: v1, kind: Namespace, metadata: {name: "+namespace+"}}"); err != nil {
		p.t.Fatal(err)
	}
	autoBind := true
	result, err := connect.Run(p.t.Context(), connect.Options{
		Name: "acme", Kubeconfig: provider.KubeconfigPath(), SecretsNamespace: namespace, CreateAccount: true,
		AutoBind: &autoBind, Pull: v1alpha1.PullPolicyReferenced, Timeout: world.Patience,
		Consumer: func() (*rest.Config, error) { return p.RESTConfig(), nil }, Progress: progress.NewPrinter(io.Discard, 0, func() string { return "" }),
	})
	if err != nil {
		p.t.Fatal(err)
	}
	if len(result.ExportedAPIs) != 1 || result.ExportedAPIs[0].Name != "databases.db.example.com" {
		p.t.Fatalf("the provider exports %v", result.ExportedAPIs)
	}
}

// nothingOf wants no copy to be left at the provider.
func (p person) nothingOf(t *testing.T) {
	t.Helper()
	list, err := p.Client.Resource(operator.Databases).List(t.Context(), metav1.ListOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	for _, left := range list.Items {
		t.Errorf("Database %s is left at the provider", left.GetName())
	}
}

// lookThroughThree mounts a Workspace on the instance, and looks at it with the commands: the tree goes on to the provider's
// copy, and the provider's fault is named as the cause, whether its operator is at fault or its API server.
func lookThroughThree(p person) {
	const instance = "store.example.com/v1alpha1 TenantCluster eu-9"
	p.apply(p.read("tenant-cluster/provided", "workspace.yaml"))
	p.holds("{apiVersion: plait.run/v1alpha1, kind: Workspace, metadata: {name: team-violet}, status: {phase: Ready}}")
	p.shows("the tree", p.tree, "Workspace team-violet", "TenantCluster default/eu-9", "Database eu-9-store",
		"copy at the provider: Database default/eu-9-store", "Synced", "through Connection acme", "Ready")

	p.merge(instance, `{"spec":{"store":"oracle"}}`)
	p.shows("what is wrong with the operator's answer", p.explanation, "Workspace team-violet is Unavailable",
		"node store (Database default/eu-9-store)", `the engine "oracle" is not offered here: take postgres or mysql`)
	p.merge(instance, `{"spec":{"store":"postgres"}}`)
	p.holds("{apiVersion: plait.run/v1alpha1, kind: Workspace, metadata: {name: team-violet}, status: {phase: Ready}}")

	if err := provider.StopAPIServer(); err != nil {
		p.t.Fatal(err)
	}
	p.merge(instance, `{"spec":{"store":"mysql"}}`)
	p.shows("what is wrong with the provider that is down", p.explanation, "Workspace team-violet is Unavailable",
		"Connection acme", "Unreachable", "See that the provider's API server runs")
	if err := provider.StartAPIServer(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	p.holds("{apiVersion: plait.run/v1alpha1, kind: Workspace, metadata: {name: team-violet}, status: {phase: Ready}}")
	p.merge(instance, `{"spec":{"store":"postgres"}}`)
}

// shows waits until a text has parts in this order.
func (p person) shows(what string, text func() (string, error), parts ...string) {
	p.t.Helper()
	last := ""
	world.Eventually(p.t, what+" is not shown", func() error {
		shown, err := text()
		if err != nil {
			return err
		}
		last = shown
		rest := shown
		for _, part := range parts {
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				return fmt.Errorf("in its place there is no %q in\n%s", part, shown)
			}
			rest = after
		}
		return nil
	})
	p.t.Logf("%s:\n%s", what, last)
}

func (p person) gathered(options inspect.Options) (*inspect.Item, error) {
	reader, err := inspect.NewCluster(p.RESTConfig())
	if err != nil {
		return nil, err
	}
	kinds, err := reader.Kinds(p.t.Context())
	if err != nil {
		return nil, err
	}
	kind, err := kinds.Find("workspace")
	if err != nil {
		return nil, err
	}
	return inspect.Gather(p.t.Context(), reader, inspect.Reference{Kind: kind, Name: "team-violet"}, options)
}

// tree is what plait tree workspace/team-violet prints.
func (p person) tree() (string, error) {
	it, err := p.gathered(inspect.Options{})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, line := range (tree.Drawer{Now: time.Now()}).Tree(it) {
		b.WriteString(line.Text + "\n")
	}
	return b.String(), nil
}

// explanation is what plait explain workspace/team-violet prints.
func (p person) explanation() (string, error) {
	it, err := p.gathered(inspect.Options{Findings: true})
	if err != nil {
		return "", err
	}
	e := explain.Explain(it)
	var b bytes.Buffer
	if !e.NeedsHand() {
		return "", errors.New("nobody has to do anything")
	}
	err = tree.Drawer{Now: time.Now()}.Explanation(&b, e)
	return b.String(), err
}
