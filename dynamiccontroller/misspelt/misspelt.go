// Package misspelt finds what users have written into Plait's annotations in vain: keys and values that mean nothing where
// they stand. Reconcilers warn of it; a misspelt wish would be passed over in silence. It is pure.
package misspelt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/graph/diag"
)

const prefix = "plait.run/"

// Wishes are the annotations that users may write on objects of a kind, with the values that mean something; nil: any do.
type Wishes map[string][]string

// OnInstance and OnGroup are what there is to wish for.
var (
	OnInstance = Wishes{
		v1alpha1.AnnotationReconcile:   {v1alpha1.ReconcileSuspended},
		v1alpha1.AnnotationReconcileAt: nil, v1alpha1.AnnotationRevision: nil, // checked where they are used
		v1alpha1.AnnotationRelease:        {v1alpha1.True},
		v1alpha1.AnnotationDeletionPolicy: {v1alpha1.DeletionPolicyOrphan},
	}
	OnGroup = Wishes{
		v1alpha1.AnnotationReconcile:            {v1alpha1.ReconcileSuspended},
		v1alpha1.AnnotationAllowBreakingChanges: nil,
	}
)

// BesideConditions is OnInstance without the value that a condition of the instance tells of.
var BesideConditions = func() Wishes {
	out := maps.Clone(OnInstance)
	out[v1alpha1.AnnotationReconcile] = nil
	return out
}()

// marks are what Plait writes itself.
var marks = []string{
	v1alpha1.AnnotationInstance, v1alpha1.AnnotationNode, v1alpha1.AnnotationNeeds, v1alpha1.AnnotationAppliedHash,
	v1alpha1.AnnotationItem, v1alpha1.AnnotationDeletion, v1alpha1.AnnotationResourceGroup, v1alpha1.AnnotationSchemaHash,
	v1alpha1.AnnotationConnection, v1alpha1.AnnotationConsumerClusterUID, v1alpha1.AnnotationConsumerObjectUID,
	v1alpha1.AnnotationConsumerGeneration, v1alpha1.AnnotationConsumerNamespace, v1alpha1.AnnotationBindingUID,
	v1alpha1.AnnotationProviderClusterUID, v1alpha1.AnnotationProviderObjectUID, v1alpha1.AnnotationAdopted,
	v1alpha1.AnnotationConflict,
}

// Fault is an annotation that means nothing.
type Fault struct {
	Key     string
	Summary string // one line, no full stop
	Cure    string // what to write instead; may be empty
}

// String is the fault in one line.
func (f Fault) String() string { return strings.TrimSuffix(f.Summary+". "+f.Cure, ". ") }

// Find gives the annotations that mean nothing, sorted by key.
func Find(annotations map[string]string, may Wishes) []Fault {
	var out []Fault
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		if fault, ok := may.fault(key, annotations[key]); ok && strings.HasPrefix(key, prefix) {
			out = append(out, fault)
		}
	}
	return out
}

// In gives one line for each annotation that means nothing, sorted.
func In(annotations map[string]string, may Wishes) []string {
	var out []string
	for _, fault := range Find(annotations, may) {
		out = append(out, fault.String())
	}
	return out
}

func (w Wishes) fault(key, value string) (f Fault, found bool) {
	values, isWish := w[key]
	switch {
	case isWish && (values == nil || slices.Contains(values, value)), slices.Contains(marks, key):
		return f, false
	case isWish:
		return Fault{key, fmt.Sprintf("the annotation %s is %q, which means nothing", key, value), fmt.Sprintf("Write %q, or drop it", diag.OneOf(values))}, true
	}
	f = Fault{Key: key, Summary: fmt.Sprintf("the annotation %s means nothing here", key)}
	if near := w.nearest(key); len(near) > 0 {
		f.Cure = "Did you mean " + diag.OneOf(near) + "?"
	}
	return f, true
}

// nearest compares what stands behind the prefix.
func (w Wishes) nearest(key string) []string {
	var known []string
	for wish := range w {
		known = append(known, strings.TrimPrefix(wish, prefix))
	}
	near := diag.Nearest(strings.TrimPrefix(key, prefix), known)
	for i := range near {
		near[i] = prefix + near[i]
	}
	return near
}
