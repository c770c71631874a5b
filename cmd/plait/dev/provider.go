package dev

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/connect"
	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/examples"
	"github.com/plait-run/plait/examples/provided-database/operator"
	"github.com/plait-run/plait/graph/source"
)

const (
	connectionName = "acme"
	makingTime     = 2 * time.Second // of a database: long enough to be seen
)

// providerFailed yields what ends a cluster of a provider; without one it yields nothing.
func (s *session) providerFailed() <-chan error {
	if s.provider == nil {
		return nil
	}
	return s.provider.Failed()
}

// showBesideProvider is show, with the provider's operator beside it where there is a provider.
func (s *session) showBesideProvider(ctx context.Context, docs documents) error {
	if s.provider == nil {
		return s.show(ctx, docs)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := s.export(ctx); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- operator.Run(ctx, s.provider.RESTConfig(), makingTime) }()
	err := s.show(ctx, docs)
	cancel()
	return errors.Join(err, <-ended)
}

// export has the provider export the API of the example.
func (s *session) export(ctx context.Context) error {
	const name = "provided-database/provider.yaml"
	data, err := examples.Files.ReadFile(name)
	if err != nil {
		return fmt.Errorf("reading the example %q: %w", name, err)
	}
	sh, err := newShower(s, s.provider.RESTConfig())
	if err != nil {
		return err
	}
	docs, _ := source.Parse(name, data)
	for _, doc := range docs {
		if err := sh.apply(ctx, object(doc)); err != nil {
			return fmt.Errorf("preparing the provider: %w", err)
		}
	}
	s.printer.Say("%s the provider exports an API, and its operator runs", s.stamp())
	return nil
}

// connect makes the Connection to the provider as a user does, once the engine has installed the kind.
func (sh *shower) connect(ctx context.Context) error {
	namespace := engine.Defaults().SecretsNamespace
	for _, o := range []*unstructured.Unstructured{
		plain("v1", "Namespace", namespace), plain(v1alpha1.GroupVersion.String(), "Connection", connectionName),
	} {
		if _, err := sh.resourceOf(ctx, o); err != nil {
			return err
		}
		if o.GetKind() == "Namespace" {
			if err := sh.apply(ctx, o); err != nil {
				return err
			}
		}
	}
	sh.printer.Say("%s plait connect %s --kubeconfig %s --create-account --pull Referenced --auto-bind",
		sh.stamp(), connectionName, sh.provider.KubeconfigPath())
	autoBind := true
	_, err := connect.Run(ctx, connect.Options{
		Name: connectionName, Kubeconfig: sh.provider.KubeconfigPath(), SecretsNamespace: namespace,
		AutoBind: &autoBind, Pull: v1alpha1.PullPolicyReferenced, CreateAccount: true, Timeout: patience,
		Consumer: func() (*rest.Config, error) { return sh.cluster.RESTConfig(), nil }, Progress: sh.printer,
	})
	if errors.As(err, new(connect.NotReadyError)) || errors.As(err, new(connect.Problem)) {
		return NotReadyError{err.Error()}
	}
	return err
}

func plain(apiVersion, kind, name string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(apiVersion)
	o.SetKind(kind)
	o.SetName(name)
	return o
}
