package dev

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"github.com/plait-run/plait/cmd/plait/progress"
)

// shower applies documents and watches them.
type shower struct {
	*session
	client dynamic.Interface
	mapper *restmapper.DeferredDiscoveryRESTMapper
	latest map[string]*unstructured.Unstructured // by kind, namespace and name
}

func newShower(s *session, config *rest.Config) (*shower, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	disco, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return &shower{
		session: s, client: client, latest: map[string]*unstructured.Unstructured{},
		mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(disco)),
	}, nil
}

// show applies the documents and shows them until ctx ends, or, when asked, until all instances are ACTIVE.
func (s *session) show(ctx context.Context, docs documents) error {
	sh, err := newShower(s, s.cluster.RESTConfig())
	if err != nil {
		return err
	}
	if s.options.ExitWhenReady {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, patience, errTooLong)
		defer cancel()
	}
	err = sh.run(ctx, docs)
	if errors.Is(context.Cause(ctx), errTooLong) {
		return NotReadyError{fmt.Sprintf("not ACTIVE after %s:\n%s", patience, sh.reasons())}
	}
	return err
}

var errTooLong = errors.New("patience has ended")

func (sh *shower) run(ctx context.Context, docs documents) error {
	if sh.provider != nil {
		if err := sh.connect(ctx); err != nil {
			return err
		}
	}
	for _, o := range append(docs.others, docs.groups...) {
		if err := sh.apply(ctx, o); err != nil {
			return err
		}
	}
	if err := sh.follow(ctx, docs.groups, groupReady); err != nil {
		return err
	}
	for _, o := range docs.instances {
		if err := sh.apply(ctx, o); err != nil {
			return err
		}
	}
	if err := sh.follow(ctx, docs.instances, instanceActive); err != nil {
		return err
	}
	sh.printer.Say("%s everything is ready", sh.stamp())
	if sh.options.ExitWhenReady {
		return nil
	}
	sh.printer.Say("       Ctrl-C stops the cluster and leaves its data in %s", sh.options.Dir)
	return sh.followOn(ctx, docs.instances)
}

// followOn shows objects until ctx ends, of which there may be none.
func (sh *shower) followOn(ctx context.Context, objects []*unstructured.Unstructured) error {
	never := func(*unstructured.Unstructured) bool { return false }
	if err := sh.follow(ctx, objects, never); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

// resourceOf finds how a document's kind is served; it waits for a kind that is being installed.
func (sh *shower) resourceOf(ctx context.Context, o *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	gvk := o.GroupVersionKind()
	told := false
	for {
		mapping, err := sh.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
		switch {
		case err == nil && mapping.Scope.Name() == meta.RESTScopeNameNamespace:
			if o.GetNamespace() == "" {
				o.SetNamespace(metav1.NamespaceDefault)
			}
			return sh.client.Resource(mapping.Resource).Namespace(o.GetNamespace()), nil
		case err == nil:
			return sh.client.Resource(mapping.Resource), nil
		case !meta.IsNoMatchError(err):
			return nil, fmt.Errorf("finding the kind %s: %w", gvk.Kind, err)
		}
		if !told {
			told = true
			sh.printer.Say("%s waiting for the kind %s of %s to be installed", sh.stamp(), gvk.Kind, gvk.GroupVersion())
		}
		if err := progress.Pause(ctx); err != nil {
			return nil, fmt.Errorf("waiting for the kind %s: %w", gvk.Kind, err)
		}
		sh.mapper.Reset()
	}
}

func (sh *shower) apply(ctx context.Context, o *unstructured.Unstructured) error {
	resource, err := sh.resourceOf(ctx, o)
	if err != nil {
		return err
	}
	if _, err := resource.Apply(ctx, o.GetName(), o, metav1.ApplyOptions{FieldManager: "plait-dev", Force: true}); err != nil {
		return fmt.Errorf("applying %s %q: %w", o.GetKind(), o.GetName(), err)
	}
	sh.printer.Say("%s applied %s %s", sh.stamp(), o.GetKind(), o.GetName())
	return nil
}

// follow watches objects and shows them, until done holds for all.
func (sh *shower) follow(ctx context.Context, objects []*unstructured.Unstructured, done func(*unstructured.Unstructured) bool) error {
	var watchers sync.WaitGroup
	defer watchers.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	events := make(chan *unstructured.Unstructured)
	for _, o := range objects {
		resource, err := sh.resourceOf(ctx, o)
		if err != nil {
			return err
		}
		watchers.Go(func() { watchObject(ctx, resource, o.GetName(), events) })
	}
	for !sh.all(objects, done) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case o := <-events:
			sh.latest[key(o)] = o
			sh.printer.Show(sh.tree(objects))
			if sh.options.ExitWhenReady && isRefused(o) {
				return NotReadyError{sh.reasons()}
			}
		}
	}
	return nil
}

func (sh *shower) all(objects []*unstructured.Unstructured, done func(*unstructured.Unstructured) bool) bool {
	for _, o := range objects {
		if latest := sh.latest[key(o)]; latest == nil || !done(latest) {
			return false
		}
	}
	return true
}

func (sh *shower) tree(objects []*unstructured.Unstructured) []progress.Line {
	var lines []progress.Line
	for _, o := range objects {
		if latest := sh.latest[key(o)]; latest != nil {
			lines = append(lines, progress.Tree(latest.Object)...)
		}
	}
	return lines
}

// watchObject sends every state of one object until ctx ends, over lost connections too.
func watchObject(ctx context.Context, resource dynamic.ResourceInterface, name string, events chan<- *unstructured.Unstructured) {
	for ctx.Err() == nil {
		w, err := resource.Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
		if err == nil {
			forward(ctx, w, events)
		}
		if progress.Pause(ctx) != nil {
			return
		}
	}
}

func forward(ctx context.Context, w watch.Interface, events chan<- *unstructured.Unstructured) {
	defer w.Stop()
	for event := range w.ResultChan() {
		o, ok := event.Object.(*unstructured.Unstructured)
		if !ok || event.Type == watch.Deleted {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case events <- o:
		}
	}
}

func key(o *unstructured.Unstructured) string {
	return strings.Join([]string{o.GetKind(), o.GetNamespace(), o.GetName()}, "/")
}

func groupReady(o *unstructured.Unstructured) bool { return isReady(o) }

func instanceActive(o *unstructured.Unstructured) bool {
	state, _, _ := unstructured.NestedString(o.Object, "status", "state")
	return state == "ACTIVE" && isReady(o)
}

// isRefused tells of a ResourceGroup that does not compile: waiting changes nothing.
func isRefused(o *unstructured.Unstructured) bool {
	return conditionOf(o, "GraphAccepted")["status"] == "False" && isObserved(o)
}

// isReady asks for a Ready condition of the object's own generation.
func isReady(o *unstructured.Unstructured) bool {
	return conditionOf(o, "Ready")["status"] == "True" && isObserved(o)
}

func isObserved(o *unstructured.Unstructured) bool {
	observed, _, _ := unstructured.NestedInt64(o.Object, "status", "observedGeneration")
	return observed == o.GetGeneration()
}

func conditionOf(o *unstructured.Unstructured, kind string) map[string]any {
	conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, item := range conditions {
		if c, _ := item.(map[string]any); c["type"] == kind {
			return c
		}
	}
	return nil
}

// reasons says how everything stands, for when patience has ended.
func (sh *shower) reasons() string {
	var lines []string
	for _, o := range sh.latest {
		for _, line := range progress.Tree(o.Object) {
			lines = append(lines, line.Text)
		}
	}
	if len(lines) == 0 {
		return "nothing has reported yet; see engine.log in " + sh.options.Dir
	}
	return strings.Join(lines, "\n")
}
