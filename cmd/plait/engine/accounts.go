package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/engine/policy"
	"github.com/plait-run/plait/mounts/contract"
)

var (
	policies = schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicies"}
	bindings = schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicybindings"}
)

// policies are the admission policies of the parts that run: who may name a service account, and what may travel with bound
// objects.
func (o *Options) policies() []*admissionv1.ValidatingAdmissionPolicy {
	out := []*admissionv1.ValidatingAdmissionPolicy{policy.NewRelated()}
	if o.runs(partInstances) {
		out = append(out, policy.New(o.requiresAccounts()))
	}
	if slices.Contains(o.kinds(), contract.Kind) {
		out = append(out, policy.Workspaces())
	}
	return out
}

// installPolicies applies policies, each with its binding.
func installPolicies(ctx context.Context, restConfig *rest.Config, all []*admissionv1.ValidatingAdmissionPolicy) error {
	client, err := dynamic.NewForConfig(restConfig)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	for _, p := range all {
		if err := errors.Join(applyPolicy(ctx, client.Resource(policies), p.Name, p),
			applyPolicy(ctx, client.Resource(bindings), p.Name, policy.Binding(p.Name))); err != nil {
			return err
		}
	}
	return nil
}

func applyPolicy(ctx context.Context, at dynamic.ResourceInterface, name string, object any) error {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return fmt.Errorf("reading the admission policy %q: %w", name, err)
	}
	delete(content, "status")
	options := metav1.ApplyOptions{FieldManager: v1alpha1.FieldManager, Force: true}
	if _, err := at.Apply(ctx, name, &unstructured.Unstructured{Object: content}, options); err != nil {
		return fmt.Errorf("installing the admission policy %q: %w", name, err)
	}
	return nil
}

// hasPolicy tells whether somebody else has installed the policy. An engine that may not look takes it for missing.
func hasPolicy(ctx context.Context, restConfig *rest.Config) (bool, error) {
	client, err := dynamic.NewForConfig(restConfig)
	if err != nil {
		return false, fmt.Errorf("making a client: %w", err)
	}
	for _, at := range []schema.GroupVersionResource{policies, bindings} {
		_, err := client.Resource(at).Get(ctx, policy.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("looking for the admission policy %q: %w", policy.Name, err)
		}
	}
	return true, nil
}

// prepareCluster installs what the engine brings, or looks for it.
func (e *Engine) prepareCluster(ctx context.Context) error {
	if err := e.prepareNamespace(ctx); err != nil {
		return err
	}
	if !e.options.InstallCRDs {
		if err := checkCRDs(ctx, e.config, e.options.kinds()); err != nil {
			return err
		}
		var err error
		e.accountsChecked, err = hasPolicy(ctx, e.config)
		return err
	}
	if err := installCRDs(ctx, e.config, e.options.kinds()); err != nil {
		return err
	}
	e.accountsChecked = true
	return installPolicies(ctx, e.config, e.options.policies())
}

// requiresAccounts tells whether nobody acts for a group that names no service account.
func (o *Options) requiresAccounts() bool { return !o.ActAsSelf && o.DefaultServiceAccount == "" }
