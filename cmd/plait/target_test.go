package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/inspect/stage"
)

func cluster(t *testing.T, name string) *stage.Stage {
	t.Helper()
	s, err := stage.Read(filepath.Join("tree", "testdata", "clusters", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestObject(t *testing.T) {
	for _, row := range []struct{ args, want string }{
		{"shop/s1", "shops team/s1"},
		{"shops s1", "shops team/s1"},
		{"Shop.example.com/s1", "shops team/s1"},
		{"resourcegroup/shops", "resourcegroups /shops"},
		{"shop", `name one object as KIND/NAME, not "shop"`},
		{"shop/", `name one object as KIND/NAME, not "shop/"`},
		{"shop/a b", `name one object as KIND/NAME, not "shop/a b"`},
		{"ship/s1", `this cluster has no kind "ship". Did you mean shop?`},
	} {
		ref, err := object(context.Background(), cluster(t, "active"), "team", strings.Fields(row.args))
		got := fmt.Sprintf("%s %s/%s", ref.Kind.Resource.Resource, ref.Namespace, ref.Name)
		if err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%s: got %s, want %s", row.args, got, row.want)
		}
	}
}

func TestCompletions(t *testing.T) {
	for typed, want := range map[string][]string{
		"":               {"resourcegroup/", "shop/", "configmap/", "deployment/", "service/"},
		"s":              {"shop/", "service/"},
		"S":              {"Shop/", "Service/"},
		"resourcegroup":  {"resourcegroup/"},
		"shop/":          {"shop/s1"},
		"resourcegroup/": {"resourcegroup/shops"},
		"nothing/":       nil,
	} {
		got, _ := completions(context.Background(), cluster(t, "active"), "team", typed)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", typed, diff)
		}
	}
}

// TestClusterStatus holds errors to the exit statuses: 1 what the cluster says no to, 2 a cluster that cannot be asked.
func TestClusterStatus(t *testing.T) {
	resource := schema.GroupResource{Resource: "shops"}
	for _, row := range []struct {
		err  error
		want bool
	}{
		{fmt.Errorf("reading: %w", apierrors.NewNotFound(resource, "s1")), true},
		{apierrors.NewForbidden(resource, "s1", errors.New("no")), true},
		{inspect.UnknownKindError{}, true},
		{errors.New("connection refused"), false},
	} {
		if got := errors.As(clusterProblem(row.err), new(problemError)); got != row.want {
			t.Errorf("%v: a problem is %v", row.err, got)
		}
	}
}

func TestMissing(t *testing.T) {
	for _, row := range []struct{ object, want string }{
		{"shop/s2", `there is no Shop "s2" in namespace team. Did you mean s1?`},
		{"shop/another", `there is no Shop "another" in namespace team.`},
		{"resourcegroup/shop", `there is no ResourceGroup "shop". Did you mean shops?`},
	} {
		c := cluster(t, "active")
		ref, err := object(context.Background(), c, "team", []string{row.object})
		if err != nil {
			t.Fatal(err)
		}
		err = explainObject(context.Background(), &bytes.Buffer{}, "text", explanation{reader: c, ref: ref})
		if !errors.As(err, new(problemError)) || err.Error() != row.want {
			t.Errorf("%s: got %v, want %s", row.object, err, row.want)
		}
	}
}

// TestClusterCommandsWithoutCluster runs the commands where no cluster can be asked.
func TestClusterCommandsWithoutCluster(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	for name, want := range map[string]string{
		"tree shop/s1":           "plait: no cluster is named: set KUBECONFIG or --kubeconfig\n",
		"explain shop/s1":        "plait: no cluster is named: set KUBECONFIG or --kubeconfig\n",
		"tree":                   "plait: name an object: plait tree KIND/NAME\n",
		"explain shop/s1 -o svg": "plait: --output takes text, json or yaml, not \"svg\"\n",
		"tree shop/s1 --kubeconfig testdata/none": "plait: reading the kubeconfig: stat testdata/none: no such file or directory\n",
	} {
		var out, errs bytes.Buffer
		code := run(context.Background(), strings.Fields(name), streams{out: &out, err: &errs})
		if code != exitUsage || errs.String() != want || out.Len() > 0 {
			t.Errorf("%s: status %d, stdout %q, stderr %q", name, code, out.String(), errs.String())
		}
	}
}

// TestPrintExplanation ends with status 1 only where somebody has to do something.
func TestPrintExplanation(t *testing.T) {
	for name, want := range map[string]int{"active": exitOK, "waiting": exitOK, "forbidden": exitProblem} {
		c := cluster(t, name)
		ref, err := object(context.Background(), c, "team", []string{"shop/s1"})
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"text", "json", "yaml"} {
			var out bytes.Buffer
			got := exitOK
			if err := explainObject(context.Background(), &out, format, explanation{reader: c, ref: ref}); errors.As(err, new(problemError)) {
				got = exitProblem
			} else if err != nil {
				t.Fatal(err)
			}
			if got != want || out.Len() == 0 {
				t.Errorf("%s as %s: status %d, output %q", name, format, got, out.String())
			}
		}
	}
}

// TestPlugin calls the program as kubectl does.
func TestPlugin(t *testing.T) {
	for name, want := range map[string]string{"": "  plait tree KIND/NAME", "/usr/bin/kubectl-plait": "  kubectl plait tree KIND/NAME"} {
		var out, errs bytes.Buffer
		code := run(context.Background(), []string{"tree", "-h"}, streams{out: &out, err: &errs, name: name})
		if code != exitOK || !strings.Contains(out.String(), want) {
			t.Errorf("%q: status %d, %s", name, code, out.String())
		}
	}
}

// TestPluginCompletion asks for completions as kubectl does.
func TestPluginCompletion(t *testing.T) {
	var out, errs bytes.Buffer
	code := run(context.Background(), []string{"expl"}, streams{out: &out, err: &errs, name: "/usr/bin/kubectl_complete-plait"})
	if code != exitOK || !strings.HasPrefix(out.String(), "explain\t") {
		t.Errorf("status %d, %q, %q", code, out.String(), errs.String())
	}
}
