package remote

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Where a cluster's UID is read from.
const (
	logicalClusterAPI  = "/apis/core.kcp.io/v1alpha1"
	logicalClusterPath = logicalClusterAPI + "/logicalclusters/cluster"
	namespacePath      = "/api/v1/namespaces/kube-system"
)

// Identity is which cluster answers.
type Identity struct {
	UID    types.UID
	Source v1alpha1.IdentitySource
}

// ReadIdentity asks a cluster which one it is. With a pinned source it asks just there; otherwise kcp's LogicalCluster
// where that API is served, and the namespace kube-system where it certainly is not: a passing error never leads from
// the one to the other. Nothing is asked twice: the queues do the waiting.
func ReadIdentity(ctx context.Context, client rest.Interface, pinned v1alpha1.IdentitySource) (Identity, error) {
	source := pinned
	if source == "" {
		var err error
		if source, err = FindIdentitySource(ctx, client); err != nil {
			return Identity{}, err
		}
	}
	path, resource := namespacePath, "namespaces/kube-system"
	if source == v1alpha1.IdentitySourceLogicalCluster {
		path, resource = logicalClusterPath, "logicalclusters.core.kcp.io/cluster"
	}
	object := &unstructured.Unstructured{}
	raw, err := client.Get().AbsPath(path).MaxRetries(0).SetHeader("Accept", "application/json").Do(ctx).Raw()
	if err == nil {
		err = object.UnmarshalJSON(raw)
	}
	if err != nil {
		return Identity{}, identityFault(err, resource)
	}
	if object.GetUID() == "" || len(object.GetUID()) > maxUID {
		return Identity{}, &IdentityError{Unreadable: true, Detail: fmt.Sprintf("%s has no usable UID", resource)}
	}
	return Identity{UID: object.GetUID(), Source: source}, nil
}

// maxUID is what a status can hold of a UID, in bytes.
const maxUID = 128

// FindIdentitySource finds out what the identity of a cluster is to be read from, for which no right is needed.
func FindIdentitySource(ctx context.Context, client rest.Interface) (v1alpha1.IdentitySource, error) {
	list := &metav1.APIResourceList{}
	err := client.Get().AbsPath(logicalClusterAPI).MaxRetries(0).Do(ctx).Into(list)
	switch {
	case apierrors.IsNotFound(err):
		return v1alpha1.IdentitySourceNamespace, nil
	case err != nil:
		return "", identityFault(err, "discovery of core.kcp.io/v1alpha1")
	}
	for _, r := range list.APIResources {
		if r.Name == "logicalclusters" {
			return v1alpha1.IdentitySourceLogicalCluster, nil
		}
	}
	return v1alpha1.IdentitySourceNamespace, nil
}

func identityFault(err error, resource string) error {
	switch fault := Classify(err, "get", resource); {
	case apierrors.IsNotFound(err):
		return &IdentityError{Unreadable: true, Detail: resource + " does not exist"}
	default:
		return fault
	}
}

// check holds what was found against the pin.
func (p Pin) check(found Identity) error {
	if p.UID == "" || found.UID == p.UID || (p.Accept != "" && found.UID == p.Accept) {
		return nil
	}
	return &IdentityError{Detail: fmt.Sprintf("the cluster %q answers, and this Connection is for %q", found.UID, p.UID)}
}

// IdentityError says that another cluster answers than the pinned one, or that it cannot be told which one does.
type IdentityError struct {
	Unreadable bool
	Detail     string
}

// Error is for people.
func (e *IdentityError) Error() string {
	if e.Unreadable {
		return "it cannot be told which cluster answers: " + e.Detail
	}
	return e.Detail
}

// DeniedError says that the provider refuses something to these credentials.
type DeniedError struct {
	Verb, Resource string
	Err            error
}

// Error names verb and resource.
func (e *DeniedError) Error() string {
	if apierrors.IsUnauthorized(e.Err) {
		return fmt.Sprintf("the provider does not accept the credentials (asked to %s %s): %s", e.Verb, e.Resource, e.Err)
	}
	return fmt.Sprintf("the provider does not allow to %s %s: %s", e.Verb, e.Resource, e.Err)
}

// Unwrap gives the provider's answer.
func (e *DeniedError) Unwrap() error { return e.Err }

// UnreachableError says that no API server has answered.
type UnreachableError struct{ Err error }

// Error is for people. A server whose certificate is not trusted is there, and it is the kubeconfig that has to change.
func (e *UnreachableError) Error() string {
	var untrusted *tls.CertificateVerificationError
	if errors.As(e.Err, &untrusted) {
		return fmt.Sprintf("the certificate of the provider's API server is not trusted: %s. The kubeconfig needs the CA that signed it in "+
			"certificate-authority-data, and a server address or tls-server-name that it is for", untrusted.Err)
	}
	return "the provider does not answer: " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *UnreachableError) Unwrap() error { return e.Err }

// Classify tells apart what a call to a provider ended with: a *DeniedError, an *UnreachableError, or err itself where
// the API server answered something else. A nil stays nil.
func Classify(err error, verb, resource string) error {
	var answered apierrors.APIStatus
	switch {
	case err == nil:
		return nil
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return &DeniedError{Verb: verb, Resource: resource, Err: err}
	case errors.As(err, &answered) && answered.Status().Code != http.StatusGatewayTimeout:
		return fmt.Errorf("%s %s: %w", verb, resource, err)
	default:
		return &UnreachableError{Err: err}
	}
}
