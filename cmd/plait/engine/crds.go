package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"sigs.k8s.io/yaml"

	"github.com/plait-run/plait/api/config"
	"github.com/plait-run/plait/api/v1alpha1"
)

// installTime bounds the wait for Plait's own CRDs.
const installTime = time.Minute

// definition is one of Plait's own CRDs.
type definition struct {
	name string
	data []byte
}

// definitions gives those of some kinds.
func definitions(kinds []string) ([]definition, error) {
	var out []definition
	for _, file := range config.CRDs() {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.Unmarshal(file.YAML, crd); err != nil {
			return nil, fmt.Errorf("reading %q: %w", file.Name, err)
		}
		if slices.Contains(kinds, crd.Spec.Names.Kind) {
			out = append(out, definition{crd.Name, file.YAML})
		}
	}
	return out, nil
}

// installCRDs applies Plait's own definitions and waits until they are served.
func installCRDs(ctx context.Context, restConfig *rest.Config, kinds []string) error {
	own, err := definitions(kinds)
	if err != nil {
		return err
	}
	client, err := apiextensionsclient.NewForConfig(restConfig)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	force := true
	options := metav1.PatchOptions{FieldManager: v1alpha1.FieldManager, Force: &force}
	for _, d := range own {
		_, err := client.ApiextensionsV1().CustomResourceDefinitions().Patch(ctx, d.name, types.ApplyYAMLPatchType, d.data, options)
		if err != nil {
			return fmt.Errorf("installing %q: %w", d.name, err)
		}
	}
	for _, d := range own {
		selector := fields.OneTermEqualSelector("metadata.name", d.name)
		lw := cache.NewListWatchFromClient(client.ApiextensionsV1().RESTClient(), "customresourcedefinitions", "", selector)
		if _, err := watchtools.UntilWithSync(ctx, lw, &apiextensionsv1.CustomResourceDefinition{}, nil, isEstablished); err != nil {
			return fmt.Errorf("waiting until %q is served: %w", d.name, err)
		}
	}
	return nil
}

func isEstablished(event watch.Event) (bool, error) {
	crd, ok := event.Object.(*apiextensionsv1.CustomResourceDefinition)
	if !ok {
		return false, nil
	}
	for _, c := range crd.Status.Conditions {
		if c.Type == apiextensionsv1.Established && c.Status == apiextensionsv1.ConditionTrue {
			return true, nil
		}
	}
	return false, nil
}

// checkCRDs tells what to do when Plait's own definitions are not there.
func checkCRDs(ctx context.Context, restConfig *rest.Config, kinds []string) error {
	own, err := definitions(kinds)
	if err != nil {
		return err
	}
	client, err := apiextensionsclient.NewForConfig(restConfig)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	var faults []error
	for _, d := range own {
		_, err := client.ApiextensionsV1().CustomResourceDefinitions().Get(ctx, d.name, metav1.GetOptions{})
		switch {
		case apierrors.IsNotFound(err):
			faults = append(faults, fmt.Errorf("the CustomResourceDefinition %q is not installed: start with --install-crds", d.name))
		case err != nil:
			return fmt.Errorf("looking for %q: %w", d.name, err)
		}
	}
	return errors.Join(faults...)
}
