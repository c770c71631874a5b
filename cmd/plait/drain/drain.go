package drain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	apiextensionsclient "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apiextensionsclientv1 "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/retry"
)

// ours begins the names of Plait's finalizers.
const ours = "plait.run/"

// page is how many objects one list gives.
const page = 500

// Options say where to drain.
type Options struct {
	REST             *rest.Config
	SecretsNamespace string // of the Secrets that Connections name
	Lease            *Lease // nil: engines stand for no election
	Out              io.Writer
}

// Run releases everything and tells what. What could not be released is in the error; the rest is done all the same.
func Run(ctx context.Context, o Options) error {
	client, err := metadata.NewForConfig(o.REST)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	definitions, err := apiextensionsclient.NewForConfig(o.REST)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	d := &drainer{client: client, definitions: definitions.ApiextensionsV1().CustomResourceDefinitions(), options: o}
	if o.Lease == nil {
		return d.drain(ctx)
	}
	return o.Lease.hold(ctx, o.REST, o.Out, d.drain)
}

type drainer struct {
	client      metadata.Interface
	definitions apiextensionsclientv1.CustomResourceDefinitionInterface
	options     Options
}

// drain releases the objects of every place. One that cannot be listed does not keep the others.
func (d *drainer) drain(ctx context.Context) error {
	list, err := d.definitions.List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("listing CustomResourceDefinitions: %w", err)
	}
	var faults []error
	total := 0
	for _, p := range d.places(list.Items) {
		released, err := d.release(ctx, p)
		if released > 0 {
			fmt.Fprintf(d.options.Out, "released %d %s\n", released, p.resource.GroupResource())
		}
		total += released
		if err != nil {
			faults = append(faults, fmt.Errorf("releasing %s: %w", p.resource.GroupResource(), err))
		}
	}
	faults = append(faults, d.reopen(ctx, list.Items)...)
	if err := errors.Join(faults...); err != nil {
		return err
	}
	fmt.Fprintf(d.options.Out, "%d objects were released; nothing in this cluster waits for Plait any more\n", total)
	return nil
}

// release takes our finalizers off the objects of one place and counts them.
func (d *drainer) release(ctx context.Context, p place) (int, error) {
	released := 0
	var faults []error
	options := metav1.ListOptions{Limit: page}
	for {
		list, err := p.in(d.client).List(ctx, options)
		if apierrors.IsNotFound(err) {
			return released, errors.Join(faults...)
		}
		if err != nil {
			return released, errors.Join(append(faults, err)...)
		}
		for i := range list.Items {
			changed, err := d.releaseOne(ctx, p, &list.Items[i])
			if err != nil {
				faults = append(faults, err)
			}
			if changed {
				released++
			}
		}
		if options.Continue = list.Continue; options.Continue == "" {
			return released, errors.Join(faults...)
		}
	}
}

// releaseOne takes our finalizers off an object, and off no other of its name.
func (d *drainer) releaseOne(ctx context.Context, p place, seen *metav1.PartialObjectMetadata) (changed bool, err error) {
	at := d.client.Resource(p.resource).Namespace(seen.Namespace)
	object := seen
	err = retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		patch, ok := patchFor(object)
		if !ok {
			return nil
		}
		_, err := at.Patch(ctx, object.Name, types.MergePatchType, patch, metav1.PatchOptions{})
		if !apierrors.IsConflict(err) {
			changed = err == nil
			return err
		}
		fresh, readErr := at.Get(ctx, object.Name, metav1.GetOptions{})
		if readErr != nil {
			return readErr
		}
		if fresh.UID != seen.UID {
			return nil
		}
		object = fresh
		return err
	})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", strings.TrimPrefix(seen.Namespace+"/"+seen.Name, "/"), err)
	}
	return changed, nil
}

// patchFor leaves an object the finalizers of others; ok is false when it has none of ours.
func patchFor(object *metav1.PartialObjectMetadata) (patch []byte, ok bool) {
	others := []string{}
	for _, finalizer := range object.Finalizers {
		if !strings.HasPrefix(finalizer, ours) {
			others = append(others, finalizer)
		}
	}
	if slices.Equal(others, object.Finalizers) {
		return nil, false
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": object.UID, "resourceVersion": object.ResourceVersion, "finalizers": others,
	}})
	return patch, err == nil
}
