// Package connection tests Connections: one consumer cluster and two providers, each a real API server.
package connection

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/test/world"
)

const (
	resync  = time.Second // how often the engine asks a provider in these tests
	secrets = "plait-system"
	tenant  = "consumer-of-tests" // who the engine is on the providers: has just the documented rights
)

var consumer, east, west *world.World

func TestMain(m *testing.M) {
	os.Exit(world.Run(m,
		world.Part{Into: &east, Config: cluster.Config{Audit: true}, Prepare: grantTenant},
		world.Part{Into: &west, Config: cluster.Config{Audit: true, ControllerManager: true}, Prepare: grantTenant},
		world.Part{Into: &consumer, Config: cluster.Config{Audit: true}, Prepare: startEngine},
	))
}

var program string // the built binary

// startEngine builds the program and starts the one engine of all tests.
func startEngine(ctx context.Context, w *world.World) error {
	dir, err := os.MkdirTemp("", "connection")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	w.BeforeStop(func() error { return os.RemoveAll(dir) })
	if program, err = world.Build(dir); err != nil {
		return err
	}
	if _, err := w.Apply(ctx, "", "{apiVersion: v1, kind: Namespace, metadata: {name: "+secrets+"}}"); err != nil {
		return err
	}
	_, err = w.StartEngine(ctx, func(o *engine.Options) {
		o.ConnectionResync, o.SecretsNamespace = resync, secrets
		o.RESTConfig = rest.CopyConfig(o.RESTConfig)
		o.RESTConfig.Wrap(func(next http.RoundTripper) http.RoundTripper { return replacing{next} })
	})
	return err
}

// documented gives the YAML that docs/connections.md shows under a title.
func documented(title string) (string, error) {
	document, err := os.ReadFile(world.InTree("docs", "connections.md"))
	if err != nil {
		return "", fmt.Errorf("reading the documented rights: %w", err)
	}
	block := regexp.MustCompile("(?s)<!-- " + title + ": applied by a test -->\n```yaml\n(.*?)```").FindSubmatch(document)
	if block == nil {
		return "", fmt.Errorf("reading the documented rights: the document shows no %s", title)
	}
	return string(block[1]), nil
}

// grantTenant gives the tenant what docs/connections.md says, and nothing more.
func grantTenant(ctx context.Context, w *world.World) error {
	roles, err := documented("provider role")
	if err != nil {
		return err
	}
	_, err = w.Apply(ctx, "", roles+`---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: plait-consumer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plait-consumer}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: consumer-of-tests}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: plait-consumer, namespace: plait}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: plait-consumer}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: consumer-of-tests}]`)
	return err
}

// suite is one test: where the consumer's administrator works, and the names that the test has for itself.
type suite struct {
	*world.Space
	t     *testing.T
	name  string // of Connection and Secret
	group string // of the APIs
}

func newSuite(t *testing.T, name string) *suite {
	t.Helper()
	return &suite{Space: consumer.Space(t, secrets), t: t, name: name, group: name + ".example.com"}
}

func kubeconfig(t *testing.T, w *world.World, user string) string {
	t.Helper()
	content, err := w.Kubeconfig(user)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// secret makes or changes the Secret.
func (s *suite) secret(kubeconfig string) {
	s.t.Helper()
	s.secretKey("kubeconfig", kubeconfig)
}

func (s *suite) secretKey(key, value string) {
	s.t.Helper()
	secret := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": s.name, "namespace": secrets},
		"stringData": map[string]any{key: value},
	}}
	if _, err := s.ApplyObject(context.Background(), secrets, secret); err != nil {
		s.t.Fatal(err)
	}
}

// connect makes the Connection with more of its spec, and removes it at the end.
func (s *suite) connect(spec string) {
	s.t.Helper()
	s.connectAs(s.name, spec)
}

func (s *suite) connectAs(name, spec string) {
	s.t.Helper()
	s.Apply(fmt.Sprintf(`
apiVersion: plait.run/v1alpha1
kind: Connection
metadata: {name: %s}
spec: {kubeconfigSecretRef: {namespace: plait-system, name: %s}%s}`, name, s.name, prefixed(s.ownOnly(spec))))
	s.t.Cleanup(func() {
		if _, err := s.Get("Connection", name); err == nil {
			s.Remove("Connection", name)
		}
	})
}

// ownOnly leaves out what other tests export, as far as the spec says anything of schemas.
func (s *suite) ownOnly(spec string) string {
	return strings.Replace(spec, "schema: {", "schema: {include: ["+s.group+"], ", 1)
}

func prefixed(spec string) string {
	if spec == "" {
		return ""
	}
	return ", " + spec
}

func (s *suite) waitReady(want string) *unstructured.Unstructured {
	s.t.Helper()
	return s.WaitReady("Connection", s.name, want)
}

// api gives an entry of exportedAPIs as `state/reason: message`, "absent" when there is none.
func api(u *unstructured.Unstructured, name string) string {
	list, _, _ := unstructured.NestedSlice(u.Object, "status", "exportedAPIs")
	for _, item := range list {
		if entry, ok := item.(map[string]any); ok && entry["name"] == name {
			text := func(field string) string { value, _ := entry[field].(string); return value }
			return text("state") + "/" + text("reason") + ": " + text("message")
		}
	}
	return "absent"
}

// waitAPI waits until an API stands as it should: the beginning of `state/reason: message`.
func (s *suite) waitAPI(resource, want string) *unstructured.Unstructured {
	s.t.Helper()
	return s.WaitFor("Connection", s.name, func(u *unstructured.Unstructured) error {
		if got := api(u, resource+"."+s.group); !strings.HasPrefix(got, want) {
			return fmt.Errorf("%s is %s, want %s", resource, got, want)
		}
		return nil
	})
}

// definition is a CustomResourceDefinition of a kind: its plural is the lower-cased kind with an s.
type definition struct {
	Kind, Group string
	Versions    string // YAML list; empty: v1 with a simple schema
	More        string // of the spec
}

const simpleVersions = `
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: string, maxLength: 20}, port: {x-kubernetes-int-or-string: true}}}
          status: {type: object, properties: {endpoint: {type: string}}}`

func (d definition) yaml(labels string) string {
	plural := strings.ToLower(d.Kind) + "s"
	versions := d.Versions
	if versions == "" {
		versions = simpleVersions
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %s.%s, labels: {%s}, annotations: {example.com/note: of the provider}}
spec:
  group: %s
  scope: Namespaced
  names: {kind: %s, plural: %s, singular: %s}%s
  versions:%s
`, plural, d.Group, labels, d.Group, d.Kind, plural, strings.ToLower(d.Kind), d.More, versions)
	return b.String()
}

const exported = `plait.run/exported: "true"`

// export makes a provider export a definition until the end of the test.
func (s *suite) export(provider *world.World, d definition) {
	s.t.Helper()
	d.Group = s.group
	s.define(provider, d, exported)
}

func (s *suite) define(w *world.World, d definition, labels string) {
	s.t.Helper()
	d.Group = s.group
	waitForFormer(s.t, w, strings.ToLower(d.Kind)+"s."+d.Group)
	all, err := w.Apply(context.Background(), "", d.yaml(labels))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { remove(s.t, w, all[0].GetName()) })
}
