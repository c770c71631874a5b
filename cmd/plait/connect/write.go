package connect

import (
	"context"
	"encoding/base64"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

// found is what is there before anything is written. Nil: nothing.
type found struct{ secret, connection *unstructured.Unstructured }

// look sees that the cluster can take a Connection, and that nothing of somebody else is in the way.
func (s *session) look(ctx context.Context) (found, error) {
	var out found
	served, err := s.consumer.discovery.ServerGroups()
	if err != nil {
		return out, fmt.Errorf("asking this cluster: %w", err)
	}
	isInstalled := false
	for _, group := range served.Groups {
		isInstalled = isInstalled || group.Name == v1alpha1.GroupVersion.Group
	}
	if !isInstalled {
		return out, Problem("this cluster does not know the kind Connection: install Plait first, or name the right cluster with --consumer-kubeconfig")
	}
	namespace, err := s.consumer.get(ctx, "Namespace", "", s.SecretsNamespace)
	if err != nil {
		return out, err
	}
	if namespace == nil {
		return out, Problem(fmt.Sprintf("this cluster has no namespace %q: create it, or name the one that the engine keeps secrets in with --secrets-namespace",
			s.SecretsNamespace))
	}
	if out.secret, err = s.consumer.get(ctx, "Secret", s.SecretsNamespace, s.Name); err != nil {
		return out, err
	}
	if out.connection, err = s.consumer.get(ctx, "Connection", "", s.Name); err != nil {
		return out, err
	}
	return out, s.mayWrite(out)
}

// mayWrite refuses what is not of this command, unless it was told to overwrite it.
func (s *session) mayWrite(have found) error {
	for _, u := range []*unstructured.Unstructured{have.secret, have.connection} {
		if u == nil || isOurs(u) {
			continue
		}
		what := title(u.GetKind(), u.GetNamespace(), u.GetName())
		if !s.Overwrite {
			return Problem(fmt.Sprintf("%s is there, and plait connect has not made it; nothing was written. "+
				"Choose another name, or overwrite it with --overwrite", what))
		}
		s.Progress.Say("consumer: overwriting %s, which somebody else has made", what)
	}
	if err := s.mayWiden(have.secret); err != nil || have.connection == nil {
		return err
	}
	ref, _, _ := unstructured.NestedStringMap(have.connection.Object, "spec", "kubeconfigSecretRef")
	if ref["namespace"] != s.SecretsNamespace || ref["name"] != s.Name || ref["key"] != v1alpha1.DefaultKubeconfigKey {
		return Problem(fmt.Sprintf("Connection %s reads the Secret %s/%s (key %s), which cannot be changed; nothing was written. "+
			"Choose another name, or delete it first", s.Name, ref["namespace"], ref["name"], ref["key"]))
	}
	return nil
}

// mayWiden refuses to put the user's own kubeconfig in the place of that of an account with few rights, unless it was told to.
func (s *session) mayWiden(secret *unstructured.Unstructured) error {
	if secret == nil || s.CreateAccount || s.Overwrite {
		return nil
	}
	account := secret.GetAnnotations()[v1alpha1.AnnotationProviderAccount]
	if account == "" {
		return nil
	}
	return Problem(fmt.Sprintf("%s holds the kubeconfig of the account %s, which was made at the provider with few rights; nothing was written. "+
		"Say --create-account again to keep it, or --overwrite to put this kubeconfig in its place", title("Secret", s.SecretsNamespace, s.Name), account))
}

// write makes the Secret, and then the Connection.
func (s *session) write(ctx context.Context, have found, kubeconfig []byte) error {
	secret := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret",
		"metadata": map[string]any{"name": s.Name, "namespace": s.SecretsNamespace},
		"data":     map[string]any{v1alpha1.DefaultKubeconfigKey: base64.StdEncoding.EncodeToString(kubeconfig)},
	}}
	if s.result.Account != "" {
		secret.SetAnnotations(map[string]string{v1alpha1.AnnotationProviderAccount: s.result.Account})
	}
	if err := s.consumer.apply(ctx, secret, s.Overwrite); err != nil {
		return err
	}
	return s.consumer.apply(ctx, s.connection(have.connection), s.Overwrite)
}

// connection is the Connection to be applied. What no flag says stays as it is.
func (s *session) connection(before *unstructured.Unstructured) *unstructured.Unstructured {
	pull, autoBind := s.Pull, s.AutoBind
	if before != nil {
		if was, ok, _ := unstructured.NestedString(before.Object, "spec", "schema", "pullPolicy"); ok && pull == "" {
			pull = v1alpha1.PullPolicy(was)
		}
		if was, ok, _ := unstructured.NestedBool(before.Object, "spec", "autoBind"); ok && autoBind == nil {
			autoBind = &was
		}
	}
	spec := map[string]any{"kubeconfigSecretRef": map[string]any{"namespace": s.SecretsNamespace, "name": s.Name}}
	if pull != "" {
		spec["schema"] = map[string]any{"pullPolicy": string(pull)}
	}
	if autoBind != nil {
		spec["autoBind"] = *autoBind
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": v1alpha1.GroupVersion.String(), "kind": "Connection", "metadata": map[string]any{"name": s.Name}, "spec": spec,
	}}
}
