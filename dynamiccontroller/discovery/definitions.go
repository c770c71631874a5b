package discovery

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/version"

	graphschema "github.com/plait-run/plait/graph/schema"

	"github.com/plait-run/plait/dynamiccontroller/watch"
)

var definitionsResource = schema.GroupVersionResource{
	Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
}

// errNoDefinitions is given while nothing is known of definitions.
var errNoDefinitions = errors.New("the CustomResourceDefinitions have not been listed yet")

// definition is what is kept of a CustomResourceDefinition. Immutable.
type definition struct {
	uid         types.UID
	generation  int64
	established bool
	kind        schema.GroupKind
	kinds       map[schema.GroupVersionKind]*graphschema.Kind // of the versions that it serves
}

// isOf tells whether the definition still is what metadata says.
func (f *definition) isOf(metadata *unstructured.Unstructured) bool {
	return f != nil && f.established && f.uid == metadata.GetUID() && f.generation == metadata.GetGeneration()
}

// anyOf gives the kind in some version that is served, the same each time; nil when the definition is of another kind.
func (f *definition) anyOf(kind schema.GroupKind) *graphschema.Kind {
	if f.kind != kind {
		return nil
	}
	var first *graphschema.Kind
	for gvk, k := range f.kinds {
		if first == nil || version.CompareKubeAwareVersionStrings(gvk.Version, first.GVK.Version) > 0 {
			first = k
		}
	}
	return first
}

// fromDefinition gives a kind of a definition that is established; ok is false when there is none of that name, or pick
// gives nil.
func (d *Discovery) fromDefinition(name string, pick func(*definition) *graphschema.Kind) (k *graphschema.Kind, ok bool, err error) {
	metadata, ok := d.crds.Get(types.NamespacedName{Name: name})
	if !ok {
		return nil, false, nil
	}
	d.mu.Lock()
	known := d.definitions[name]
	d.mu.Unlock()
	if !known.isOf(metadata) {
		if known, err = d.readDefinition(name, metadata.GetResourceVersion()); err != nil || known == nil {
			return nil, false, err
		}
	}
	if !known.established {
		return nil, false, nil
	}
	k = pick(known)
	return k, k != nil, nil
}

// fromGroup looks for a kind that discovery does not know among the definitions of its group.
func (d *Discovery) fromGroup(gvk schema.GroupVersionKind) (*graphschema.Kind, bool, error) {
	return d.fromDefinitions(gvk.Group, func(f *definition) *graphschema.Kind { return f.kinds[gvk] })
}

// fromDefinitions looks among the definitions of a group that discovery does not know.
func (d *Discovery) fromDefinitions(group string, pick func(*definition) *graphschema.Kind) (*graphschema.Kind, bool, error) {
	for _, metadata := range d.crds.Select("", labels.Everything()) {
		plural, of, _ := strings.Cut(metadata.GetName(), ".")
		if of != group || d.isDiscovered(schema.GroupResource{Group: group, Resource: plural}) {
			continue
		}
		if k, ok, err := d.fromDefinition(metadata.GetName(), pick); ok || err != nil {
			return k, ok, err
		}
	}
	return nil, false, nil
}

// isDiscovered tells whether discovery shows the definition in the generation that is known, so that it has nothing to
// add.
func (d *Discovery) isDiscovered(gr schema.GroupResource) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.snapshot == nil || time.Now().Before(d.settled) {
		return false
	}
	for _, k := range d.snapshot.kinds {
		if k.Resource.GroupResource() == gr {
			return true
		}
	}
	return false
}

// readDefinition reads and keeps a definition as it is at a version that was seen, or later; nil when it does not
// exist any more.
func (d *Discovery) readDefinition(name, version string) (*definition, error) {
	read, err, _ := d.asking.Do("definition "+name+" "+version, func() (any, error) {
		ctx, cancel := d.limited()
		defer cancel()
		u, err := d.client.Resource(definitionsResource).Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return (*definition)(nil), nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading CustomResourceDefinition %q: %w", name, err)
		}
		return definitionOf(u)
	})
	if err != nil {
		return nil, err
	}
	f, _ := read.(*definition)
	d.mu.Lock()
	defer d.mu.Unlock()
	if f == nil {
		delete(d.definitions, name)
		return nil, nil
	}
	d.definitions[name] = f
	return f, nil
}

func definitionOf(u *unstructured.Unstructured) (*definition, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, crd); err != nil {
		return nil, fmt.Errorf("decoding CustomResourceDefinition %q: %w", u.GetName(), err)
	}
	f := &definition{
		uid:         crd.UID,
		generation:  crd.Generation,
		established: isEstablished(crd),
		kind:        schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind},
		kinds:       map[schema.GroupVersionKind]*graphschema.Kind{},
	}
	resolver := graphschema.FromCRDs(crd)
	for _, version := range crd.Spec.Versions {
		gvk := f.kind.WithVersion(version.Name)
		k, ok, err := resolver.Resolve(gvk)
		if err != nil {
			return nil, fmt.Errorf("reading the schema of CustomResourceDefinition %q: %w", crd.Name, err)
		}
		if ok {
			f.kinds[gvk] = k
		}
	}
	return f, nil
}

func isEstablished(crd *apiextensionsv1.CustomResourceDefinition) bool {
	for _, c := range crd.Status.Conditions {
		if c.Type == apiextensionsv1.Established {
			return c.Status == apiextensionsv1.ConditionTrue
		}
	}
	return false
}

func (d *Discovery) definitionChanged(c watch.Change) {
	if c.Initial || c.Resync {
		return
	}
	name := c.Object().GetName()
	d.mu.Lock()
	d.stale++
	d.settled = time.Now().Add(lagTime)
	if c.New == nil {
		d.gone[name] = true
	} else {
		delete(d.gone, name)
	}
	d.mu.Unlock()
	d.changed.add(name)
}

// tellChanges finds out what changed in the definitions with news, and tells the listeners.
func (d *Discovery) tellChanges(ctx context.Context) {
	for _, name := range d.changed.take() {
		d.mu.Lock()
		was := d.definitions[name]
		d.mu.Unlock()
		now, err := d.readDefinition(name, d.versionOf(name))
		if err != nil {
			d.cfg.Log.V(1).Info("A definition cannot be read now", "definition", name, "cause", err.Error())
			d.later(ctx, name)
			continue
		}
		if kind, ok := changeOf(name, was, now); ok {
			d.tell(kind)
		}
	}
}

// versionOf is the version of a definition's newest event.
func (d *Discovery) versionOf(name string) string {
	metadata, ok := d.crds.Get(types.NamespacedName{Name: name})
	if !ok {
		return "gone"
	}
	return metadata.GetResourceVersion()
}

// later has a name looked at again after a moment.
func (d *Discovery) later(ctx context.Context, name string) {
	timer := time.NewTimer(time.Second)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
		d.changed.add(name)
	}
}

// changeOf tells whether what users of a kind see has changed between two readings of its definition; nil means that
// there was or is none.
func changeOf(name string, was, now *definition) (kind schema.GroupKind, changed bool) {
	switch {
	case was == nil && now == nil:
		_, group, _ := strings.Cut(name, ".")
		return schema.GroupKind{Group: group}, true
	case now == nil:
		return was.kind, true
	case was == nil:
		return now.kind, now.established
	default:
		return now.kind, was.uid != now.uid || was.generation != now.generation || was.established != now.established
	}
}

func (d *Discovery) tell(kind schema.GroupKind) {
	d.mu.Lock()
	d.stale++
	listeners := d.listeners
	d.mu.Unlock()
	for _, f := range listeners {
		f(kind)
	}
}
