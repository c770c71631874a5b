package connect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Manager is the field manager of all that plait connect writes. By it an object is of this command.
const Manager = "plait-connect"

// Object is an object that was to be there, and how it came to be.
type Object struct {
	Cluster   string `json:"cluster"` // provider or consumer
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Action    Action `json:"action"`
}

// Action is what was done about an object.
type Action string

// The values of Action.
const (
	Created   Action = "created"
	Changed   Action = "changed"
	Unchanged Action = "unchanged"
)

// resources are the kinds that are written.
var resources = map[string]schema.GroupVersionResource{
	"Namespace":          {Version: "v1", Resource: "namespaces"},
	"ServiceAccount":     {Version: "v1", Resource: "serviceaccounts"},
	"Secret":             {Version: "v1", Resource: "secrets"},
	"ClusterRole":        {Group: rbacGroup, Version: "v1", Resource: "clusterroles"},
	"ClusterRoleBinding": {Group: rbacGroup, Version: "v1", Resource: "clusterrolebindings"},
	"Role":               {Group: rbacGroup, Version: "v1", Resource: "roles"},
	"RoleBinding":        {Group: rbacGroup, Version: "v1", Resource: "rolebindings"},
	"Connection":         {Group: "plait.run", Version: "v1alpha1", Resource: "connections"},
}

const rbacGroup = "rbac.authorization.k8s.io"

// place is a cluster that is written to.
type place struct {
	name      string // provider or consumer
	session   *session
	client    dynamic.Interface
	discovery *discovery.DiscoveryClient
}

func newPlace(config *rest.Config, name string, s *session) (*place, error) {
	p := &place{name: name, session: s}
	var err error
	if p.client, err = dynamic.NewForConfig(config); err != nil {
		return nil, fmt.Errorf("making a client for the %s: %w", name, err)
	}
	if p.discovery, err = discovery.NewDiscoveryClientForConfig(config); err != nil {
		return nil, fmt.Errorf("making a client for the %s: %w", name, err)
	}
	return p, nil
}

func (p *place) at(kind, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return p.client.Resource(resources[kind])
	}
	return p.client.Resource(resources[kind]).Namespace(namespace)
}

// get gives an object, nil when it is not there.
func (p *place) get(ctx context.Context, kind, namespace, name string) (*unstructured.Unstructured, error) {
	u, err := p.at(kind, namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, p.fault("reading", title(kind, namespace, name), err)
	}
	return u, nil
}

// apply sees that an object is as it should be, and says what that took.
func (p *place) apply(ctx context.Context, u *unstructured.Unstructured, force bool) error {
	what := title(u.GetKind(), u.GetNamespace(), u.GetName())
	before, err := p.get(ctx, u.GetKind(), u.GetNamespace(), u.GetName())
	if err != nil {
		return err
	}
	after, err := p.at(u.GetKind(), u.GetNamespace()).Apply(ctx, u.GetName(), u, metav1.ApplyOptions{FieldManager: Manager, Force: force})
	if err != nil {
		return p.fault("applying", what, err)
	}
	action := Changed
	switch {
	case before == nil:
		action = Created
	case equality.Semantic.DeepEqual(content(before), content(after)):
		action = Unchanged
	}
	p.tell(after, action)
	return nil
}

// content is an object without who wrote it and how often.
func content(u *unstructured.Unstructured) map[string]any {
	u = u.DeepCopy()
	u.SetManagedFields(nil)
	u.SetResourceVersion("")
	u.SetGeneration(0)
	return u.Object
}

// tell says what was done about an object, and keeps it for the result.
func (p *place) tell(u *unstructured.Unstructured, action Action) {
	s := p.session
	s.result.Objects = append(s.result.Objects, Object{
		Cluster: p.name, Kind: u.GetKind(), Namespace: u.GetNamespace(), Name: u.GetName(), Action: action,
	})
	s.Progress.Say("%s: %s %s", p.name, action, title(u.GetKind(), u.GetNamespace(), u.GetName()))
}

// fault says what a cluster answers; what it says no to is a Problem.
func (p *place) fault(doing, what string, err error) error {
	switch {
	case apierrors.IsConflict(err):
		return Problem(fmt.Sprintf("%s %s of the %s: somebody else has set its fields to other values: %s", doing, what, p.name, said(err)))
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err), apierrors.IsInvalid(err), apierrors.IsNotFound(err):
		return Problem(fmt.Sprintf("%s %s of the %s: %s", doing, what, p.name, said(err)))
	}
	return fmt.Errorf("%s %s of the %s: %w", doing, what, p.name, err)
}

// said is an answer without line breaks.
func said(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func title(kind, namespace, name string) string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return kind + " " + name
}

// isOurs tells whether this command has written an object.
func isOurs(u *unstructured.Unstructured) bool {
	return slices.ContainsFunc(u.GetManagedFields(), func(m metav1.ManagedFieldsEntry) bool {
		return m.Manager == Manager && m.Operation == metav1.ManagedFieldsOperationApply
	})
}
