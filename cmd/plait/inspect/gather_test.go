package inspect_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/inspect/stage"
)

// gather reads an object of a cluster that is written down in a text.
func gather(t *testing.T, cluster, kind, name string) (*inspect.Item, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte(cluster), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := stage.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := s.Kinds(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	found, err := kinds.Find(kind)
	if err != nil {
		t.Fatal(err)
	}
	ref := inspect.Reference{Kind: found, Name: name}
	if found.Namespaced {
		ref.Namespace = "team"
	}
	return inspect.Gather(context.Background(), s, ref, inspect.Options{})
}

// instance is an instance of a kind that has one child of another kind.
func instance(kind, uid, owner, childKind string) string {
	return fmt.Sprintf(`---
apiVersion: example.com/v1
kind: %s
metadata:
  name: it
  namespace: team
  uid: %s
  finalizers: [plait.run/instance]
  labels: {plait.run/instance-uid: %s}
  annotations: {plait.run/node: child}
status:
  state: ACTIVE
  resources: [{id: child, state: Ready, apiVersion: example.com/v1, kind: %s, name: it, namespace: team}]
`, kind, uid, owner, childKind)
}

// TestRing ends where an instance is its own grandchild.
func TestRing(t *testing.T) {
	it, err := gather(t, instance("Egg", "e", "h", "Hen")+instance("Hen", "h", "e", "Egg"), "egg", "it")
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	it.Walk(func(part *inspect.Item) { titles = append(titles, part.Title()) })
	if diff := cmp.Diff([]string{"Egg team/it", "Hen team/it", "Egg team/it"}, titles); diff != "" {
		t.Error(diff)
	}
	last := it.Items[0].Items[0]
	if diff := cmp.Diff([]string{"what is below it stands above already, or lies too deep"}, last.Notes); diff != "" {
		t.Error(diff)
	}
}

// TestManyInstancesOfAGroup keeps what is wrong, and counts the rest.
func TestManyInstancesOfAGroup(t *testing.T) {
	var cluster strings.Builder
	cluster.WriteString("{apiVersion: plait.run/v1alpha1, kind: ResourceGroup, metadata: {name: eggs}, spec: {schema: {group: example.com, apiVersion: v1, kind: Egg}}}\n")
	for i := range 120 {
		state := "ACTIVE"
		if i == 119 {
			state = "FAILED"
		}
		fmt.Fprintf(&cluster, "---\n{apiVersion: example.com/v1, kind: Egg, metadata: {name: e%03d, namespace: team}, status: {state: %s}}\n", i, state)
	}
	it, err := gather(t, cluster.String(), "resourcegroup", "eggs")
	if err != nil {
		t.Fatal(err)
	}
	if len(it.Items) != 100 || it.Omitted != 20 || it.Items[0].Name != "e119" || it.Items[1].Name != "e000" {
		t.Errorf("%d items, %d omitted, the first are %s and %s", len(it.Items), it.Omitted, it.Items[0].Name, it.Items[1].Name)
	}
}

func TestGatherWithoutTheObject(t *testing.T) {
	_, err := gather(t, "{serves: {apiVersion: example.com/v1, kind: Egg}}\n", "egg", "none")
	if !apierrors.IsNotFound(err) {
		t.Errorf("got %v", err)
	}
}

// TestHealthOf holds every state to what it means for people.
func TestHealthOf(t *testing.T) {
	for state, want := range map[string]inspect.Health{
		"ACTIVE": inspect.Good, "IN_PROGRESS": inspect.Busy, "FAILED": inspect.Bad, "ERROR": inspect.Bad, "DELETING": inspect.Busy,
		"Ready": inspect.Good, "Applied": inspect.Busy, "Waiting": inspect.Busy, "Failed": inspect.Bad, "Excluded": inspect.Off, "Deleting": inspect.Busy,
		"Active": inspect.Good, "Inactive": inspect.Bad, "Scheduling": inspect.Busy, "Unavailable": inspect.Bad,
		"Bound": inspect.Good, "Pending": inspect.Busy, "Conflict": inspect.Bad, "Invalid": inspect.Bad, "Unsupported": inspect.Bad,
		"Withdrawn": inspect.Bad, "Available": inspect.Off, "Installed": inspect.Good, "Missing": inspect.Bad, "": inspect.Unknown, "else": inspect.Unknown,
	} {
		if got := inspect.HealthOf(state); got != want {
			t.Errorf("%q: %s, want %s", state, got, want)
		}
	}
}
