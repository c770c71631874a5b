package connection

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/remote"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// readCredentials makes an access of the Secret. Without one nobody keeps a way to the provider.
func (r *Reconciler) readCredentials(ctx context.Context, p *pass) (step.Outcome, error) {
	access, err := r.accessOf(ctx, p)
	var refused *refusal
	if err != nil && !errors.As(err, &refused) {
		return step.Stop(), err
	}
	if refused != nil {
		r.deps.Registry.Drop(p.name)
		p.say(v1alpha1.ConditionSecretValid, "False", refused.reason, refused.Error())
		return p.disconnected(refused.reason, refused.Error(), r.deps.Config.Resync), nil
	}
	p.access, p.conn.Status.ProviderHost = access, access.Host
	p.say(v1alpha1.ConditionSecretValid, "True", v1alpha1.ReasonAsExpected, p.access.Usable())
	return step.Next(), nil
}

// refusal says why a Secret gives no access.
type refusal struct {
	reason v1alpha1.Reason
	err    error
}

// Error is for people.
func (r *refusal) Error() string { return r.err.Error() }

// accessOf reads the Secret where it has changed. The error is a *refusal or passing.
func (r *Reconciler) accessOf(ctx context.Context, p *pass) (*remote.Access, error) {
	ref := p.conn.Spec.KubeconfigSecretRef
	name := ref.Namespace + "/" + ref.Name
	if own := r.deps.Config.SecretsNamespace; ref.Namespace != own {
		return nil, &refusal{v1alpha1.ReasonSecretNamespaceForbidden, fmt.Errorf(
			"the Secret %q is not read: kubeconfigs are kept in the namespace %q", name, own)}
	}
	metadata, ok, err := r.secretOf(ctx, p.conn)
	if err != nil {
		return nil, err
	}
	if !ok {
		p.memory.secret = ""
		return nil, &refusal{v1alpha1.ReasonSecretNotFound, fmt.Errorf("the Secret %q does not exist", name)}
	}
	key := cmp.Or(ref.Key, v1alpha1.DefaultKubeconfigKey)
	version := fmt.Sprintf("%s/%s/%s/%t", metadata.UID, metadata.ResourceVersion, key, p.conn.Spec.InsecureSkipTLSVerify)
	if p.memory.secret != version {
		if err := r.readSecret(ctx, p, types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}, key); err != nil {
			return nil, err
		}
		p.memory.secret = version
	}
	return p.memory.access, p.memory.refused
}

// readSecret notes what a Secret holds; the error is passing.
func (r *Reconciler) readSecret(ctx context.Context, p *pass, at types.NamespacedName, key string) error {
	p.memory.access, p.memory.refused = nil, nil
	secret := &corev1.Secret{}
	if err := r.deps.live.Get(ctx, at, secret); apierrors.IsNotFound(err) {
		p.memory.refused = &refusal{v1alpha1.ReasonSecretNotFound, fmt.Errorf("the Secret %q does not exist", at)}
		return nil
	} else if err != nil {
		return fmt.Errorf("reading Secret %q: %w", at, err)
	}
	data, ok := secret.Data[key]
	if !ok {
		p.memory.refused = &refusal{v1alpha1.ReasonSecretKeyMissing, fmt.Errorf("the Secret %q has no key %q", at, key)}
		return nil
	}
	access, err := remote.Parse(data, p.conn.Spec.InsecureSkipTLSVerify)
	var unsafe *remote.UnsafeError
	switch {
	case errors.As(err, &unsafe):
		p.memory.refused = &refusal{v1alpha1.ReasonKubeconfigUnsafe, err}
	case err != nil:
		p.memory.refused = &refusal{v1alpha1.ReasonKubeconfigInvalid, err}
	}
	p.memory.access = access
	return nil
}
