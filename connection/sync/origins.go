package sync

import (
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

// origins remembers which namespace of this cluster each namespace of the provider is for. Safe for concurrent use.
type origins struct {
	mu     sync.Mutex
	byName map[string]string // by the provider's name
}

func newOrigins() *origins { return &origins{byName: map[string]string{}} }

// learn takes from a copy what an earlier syncer has decided.
func (o *origins) learn(live *unstructured.Unstructured) {
	origin := live.GetAnnotations()[v1alpha1.AnnotationConsumerNamespace]
	if origin == "" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byName[live.GetNamespace()] == "" {
		o.byName[live.GetNamespace()] = origin
	}
}

// of gives the namespace of this cluster that a copy's one is for; empty: not known.
func (o *origins) of(live *unstructured.Unstructured) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if origin := o.byName[live.GetNamespace()]; origin != "" {
		return origin
	}
	return live.GetAnnotations()[v1alpha1.AnnotationConsumerNamespace]
}

// take asks for a namespace of the provider for one of this cluster. Another one that has it, and is used still, keeps it.
func (o *origins) take(theirs, ours string, isUsed func(string) bool) (rival string, ok bool) {
	o.mu.Lock()
	had := o.byName[theirs]
	o.mu.Unlock()
	if had != "" && had != ours && isUsed(had) {
		return had, false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.byName[theirs] = ours
	return "", true
}
