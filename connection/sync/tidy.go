package sync

import (
	"context"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"

	"github.com/plait-run/plait/api/v1alpha1"
)

// tidyTime is how long after its last copy a namespace of ours is looked at: another copy may be on its way.
const tidyTime = 2 * time.Second

// emptied notes that a namespace of the provider may have lost its last copy.
func (s *syncer) emptied(namespace string) {
	if namespace != "" && s.remote.Discovery != nil {
		s.tidying.queue.AddAfter(types.NamespacedName{Name: namespace}, tidyTime)
	}
}

// tidy deletes a namespace that we have made and in which there is nothing any more. What cannot be listed may be there.
func (s *syncer) tidy(ctx context.Context, key types.NamespacedName) (time.Duration, error) {
	if len(s.provider.Select(key.Name, everything)) > 0 {
		return 0, nil
	}
	all := door{client: s.remote.Dynamic, resource: namespaces, wrote: func(err error) { s.cfg.Metrics.wrote(s.task, up, err) }}
	namespace, err := all.get(ctx, key)
	if apierrors.IsForbidden(err) || namespace == nil {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	labels := namespace.GetLabels()
	isOurs := labels[v1alpha1.LabelManaged] == v1alpha1.True && labels[v1alpha1.LabelConsumerClusterUID] == string(s.maker.Cluster)
	if !isOurs || namespace.GetDeletionTimestamp() != nil {
		return 0, nil
	}
	if isEmpty, err := s.isEmpty(ctx, key.Name); err != nil || !isEmpty {
		return 0, err
	}
	_, err = all.delete(ctx, namespace)
	if apierrors.IsForbidden(err) || apierrors.IsConflict(err) {
		return 0, nil
	}
	return 0, err
}

// isEmpty asks for everything that a namespace can hold.
func (s *syncer) isEmpty(ctx context.Context, namespace string) (bool, error) {
	lists, err := s.remote.Discovery.ServerPreferredResources()
	if err != nil {
		return false, fmt.Errorf("asking the provider which resources there are: %w", err)
	}
	for _, list := range discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list", "create"}}, lists) {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return false, fmt.Errorf("reading %q: %w", list.GroupVersion, err)
		}
		for _, resource := range list.APIResources {
			if !resource.Namespaced {
				continue
			}
			isFree, err := s.holdsNone(ctx, gv.WithResource(resource.Name), namespace)
			if err != nil || !isFree {
				return false, err
			}
		}
	}
	return true, nil
}

// own are what Kubernetes itself puts into each namespace.
var own = map[string][]string{"configmaps": {"kube-root-ca.crt"}, "serviceaccounts": {"default"}}

func (s *syncer) holdsNone(ctx context.Context, resource schema.GroupVersionResource, namespace string) (bool, error) {
	if resource.Resource == "events" {
		return true, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	list, err := s.remote.Dynamic.Resource(resource).Namespace(namespace).List(ctx, metav1.ListOptions{Limit: 2})
	switch {
	case apierrors.IsForbidden(err):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("looking into namespace %q of the provider: %w", namespace, err)
	}
	rest := slices.DeleteFunc(list.Items, func(u unstructured.Unstructured) bool {
		return slices.Contains(own[resource.Resource], u.GetName())
	})
	return len(rest) == 0 && list.GetContinue() == "", nil
}
