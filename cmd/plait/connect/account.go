package connect

import (
	"bytes"
	"context"
	_ "embed" // the documented rights
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/progress"
	"github.com/plait-run/plait/connection/remote"
	"github.com/plait-run/plait/connection/schema"
)

// ProviderRole is what an account needs at a provider to connect, as YAML: the namespace of the heartbeat, a ClusterRole and
// a Role. docs/connections.md shows it.
//
//go:embed provider.yaml
var ProviderRole []byte

// ProviderRoleInKCP is what an account needs beside it where the provider is kcp.
//
//go:embed provider-kcp.yaml
var ProviderRoleInKCP []byte

const (
	providerNamespace = "plait"          // where the account and the heartbeats are
	providerRole      = "plait-consumer" // name of both roles in ProviderRole
	accountTime       = 30 * time.Second // for the token, and for the rights to be noticed
	answerTime        = 30 * time.Second // for one request
)

// maker makes an account at the provider, as the user of a kubeconfig.
type maker struct {
	*place
	kubeconfig *clientcmdapi.Config
	consumer   string // UID of the consumer cluster
	account    string // name: one for each consumer cluster
}

func newMaker(s *session, kubeconfig *clientcmdapi.Config, consumer string) (*maker, error) {
	config, err := clientcmd.NewDefaultClientConfig(*kubeconfig, &clientcmd.ConfigOverrides{}).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("reading the provider's kubeconfig: %w", err)
	}
	config.Timeout = answerTime
	at, err := newPlace(config, "provider", s)
	if err != nil {
		return nil, err
	}
	return &maker{place: at, kubeconfig: kubeconfig, consumer: consumer, account: fmt.Sprintf("%s-%.8s", providerRole, consumer)}, nil
}

// make makes all of it, or sees that it is there, and gives the account's kubeconfig.
func (m *maker) make(ctx context.Context) ([]byte, error) {
	m.session.result.Account = providerNamespace + "/" + m.account
	if err := m.applyBase(ctx); err != nil {
		return nil, err
	}
	token, err := m.token(ctx)
	if err != nil {
		return nil, err
	}
	config, err := ofAccount(m.kubeconfig, token)
	if err != nil {
		return nil, err
	}
	text, err := checked(config)
	if err != nil {
		return nil, err
	}
	exports, err := m.tryAccount(ctx, text)
	if err != nil {
		return nil, err
	}
	return text, m.allowExports(ctx, exports)
}

// applyBase makes the documented roles, the account, its token and its bindings to the roles.
func (m *maker) applyBase(ctx context.Context) error {
	documents, err := documentsOf(ProviderRole)
	if err != nil {
		return err
	}
	documents = append(documents, m.object("v1", "ServiceAccount", providerNamespace, nil),
		m.object("v1", "Secret", providerNamespace, map[string]any{"type": "kubernetes.io/service-account-token"}),
		m.binding("ClusterRole", "", providerRole), m.binding("Role", providerNamespace, providerRole))
	ofKCP, err := m.rightsInKCP(ctx)
	if err != nil {
		return err
	}
	documents = append(documents, ofKCP...)
	for _, u := range documents {
		if u.GetKind() == "Namespace" {
			have, err := m.get(ctx, "Namespace", "", u.GetName())
			if err != nil {
				return err
			}
			if have != nil {
				m.tell(have, Unchanged)
				continue
			}
		}
		if err := m.apply(ctx, u, false); err != nil {
			return err
		}
	}
	return nil
}

// rightsInKCP are what is to be made where the provider is kcp; none elsewhere, where an administrator need not have the
// right that they grant.
func (m *maker) rightsInKCP(ctx context.Context) ([]*unstructured.Unstructured, error) {
	source, err := remote.FindIdentitySource(ctx, m.discovery.RESTClient())
	if err != nil {
		return nil, fmt.Errorf("asking the provider whether it is kcp: %w", err)
	}
	if source != v1alpha1.IdentitySourceLogicalCluster {
		return nil, nil
	}
	documents, err := documentsOf(ProviderRoleInKCP)
	if err != nil {
		return nil, err
	}
	role := documents[0].GetName()
	binding := m.binding("ClusterRole", "", role)
	binding.SetName(m.account + strings.TrimPrefix(role, providerRole))
	return append(documents, binding), nil
}

func documentsOf(text []byte) ([]*unstructured.Unstructured, error) {
	var out []*unstructured.Unstructured
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		u := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(document, &u.Object); err != nil {
			return nil, fmt.Errorf("reading the provider's role: %w", err)
		}
		out = append(out, u)
	}
	return out, nil
}

// object is an object of this account alone, by its name.
func (m *maker) object(apiVersion, kind, namespace string, content map[string]any) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	for field, value := range content {
		u.Object[field] = value
	}
	u.SetAPIVersion(apiVersion)
	u.SetKind(kind)
	u.SetName(m.account)
	u.SetNamespace(namespace)
	u.SetLabels(map[string]string{"app.kubernetes.io/managed-by": Manager, "app.kubernetes.io/instance": m.account})
	annotations := map[string]string{"kubernetes.io/description": "for Connections of Plait in the cluster " + m.consumer}
	if kind == "Secret" {
		annotations["kubernetes.io/service-account.name"] = m.account
	}
	u.SetAnnotations(annotations)
	return u
}

// binding binds the account to a role.
func (m *maker) binding(kind, namespace, role string) *unstructured.Unstructured {
	return m.object(rbacGroup+"/v1", kind+"Binding", namespace, map[string]any{
		"roleRef":  map[string]any{"apiGroup": rbacGroup, "kind": kind, "name": role},
		"subjects": []any{map[string]any{"kind": "ServiceAccount", "name": m.account, "namespace": providerNamespace}},
	})
}

// token waits until the cluster has written the token.
func (m *maker) token(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, accountTime)
	defer cancel()
	for {
		secret, err := m.get(ctx, "Secret", providerNamespace, m.account)
		if err != nil {
			return "", err
		}
		if secret != nil {
			encoded, _, _ := unstructured.NestedString(secret.Object, "data", "token")
			if token, err := base64.StdEncoding.DecodeString(encoded); err == nil && len(token) > 0 {
				return string(token), nil
			}
		}
		if progress.Pause(ctx) != nil {
			return "", Problem(fmt.Sprintf("the provider has written no token into Secret %s/%s in %s: its controller of tokens does not run",
				providerNamespace, m.account, accountTime))
		}
	}
}

// tryAccount connects as the account, as the engine will, and gives what is exported. New rights take a moment.
func (m *maker) tryAccount(ctx context.Context, kubeconfig []byte) ([]schema.Export, error) {
	access, err := remote.Parse(kubeconfig, false)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, accountTime)
	defer cancel()
	for {
		exports, err := ask(ctx, access)
		var denied *remote.DeniedError
		switch {
		case err == nil:
			return exports, nil
		case !errors.As(err, &denied):
			return nil, fmt.Errorf("trying the account %s/%s: %w", providerNamespace, m.account, err)
		case progress.Pause(ctx) != nil:
			return nil, Problem(fmt.Sprintf("the account %s/%s may not do what was granted to it: %s", providerNamespace, m.account, said(err)))
		}
	}
}

func ask(ctx context.Context, access *remote.Access) ([]schema.Export, error) {
	provider, err := remote.Connect(ctx, access, remote.Pin{})
	if err != nil {
		return nil, err
	}
	defer provider.HTTP.CloseIdleConnections()
	return schema.NewCatalog(provider).FromDefinitions(ctx, schema.Filter{})
}

// allowExports lets the account keep objects of what is exported, and of nothing else.
func (m *maker) allowExports(ctx context.Context, exports []schema.Export) error {
	role := m.object(rbacGroup+"/v1", "ClusterRole", "", map[string]any{"rules": rulesFor(exports)})
	role.SetName(m.account + "-exports")
	binding := m.binding("ClusterRole", "", role.GetName())
	binding.SetName(role.GetName())
	for _, u := range []*unstructured.Unstructured{role, binding} {
		if err := m.apply(ctx, u, false); err != nil {
			return err
		}
	}
	return nil
}

// rulesFor are the rights to keep copies of objects, by API group.
func rulesFor(exports []schema.Export) []any {
	var groups []string
	resources := map[string][]any{}
	for _, e := range exports {
		if resources[e.Group] == nil {
			groups = append(groups, e.Group)
		}
		resources[e.Group] = append(resources[e.Group], e.Resource)
	}
	rules := []any{}
	for _, group := range groups {
		rules = append(rules, map[string]any{
			"apiGroups": []any{group}, "resources": resources[group],
			"verbs": []any{"get", "list", "watch", "create", "patch", "delete"},
		})
	}
	return rules
}
