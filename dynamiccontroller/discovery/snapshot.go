package discovery

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

const (
	missTime = 5 * time.Second  // how old a snapshot must be to be made anew for a kind that it lacks
	lagTime  = 10 * time.Second // how long discovery may take to show a change of a definition
)

// snapshot is one reading of discovery. Immutable.
type snapshot struct {
	at     time.Time
	stale  int // of the Discovery when the reading began
	kinds  map[schema.GroupVersionKind]served
	first  map[schema.GroupKind]schema.GroupVersionKind // in the version that the server prefers
	failed map[schema.GroupVersion]error                // what could not be told
}

type served struct {
	Mapping
	scale, status bool
}

// find looks a kind up in discovery.
func (d *Discovery) find(gvk schema.GroupVersionKind) (found served, ok bool, err error) {
	s, err := d.current(func(s *snapshot) bool { _, ok := s.kinds[gvk]; return ok })
	if err != nil {
		return served{}, false, err
	}
	if found, ok = s.kinds[gvk]; ok {
		return found, !d.isGone(found.Resource), nil
	}
	if cause, ok := s.failed[gvk.GroupVersion()]; ok {
		return served{}, false, fmt.Errorf("asking the API server for group %q: %w", gvk.GroupVersion(), cause)
	}
	return served{}, false, nil
}

// isGone tells whether a resource had a definition that is gone, which discovery may not have noticed yet.
func (d *Discovery) isGone(gvr schema.GroupVersionResource) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.gone[gvr.GroupResource().String()]
}

// current gives a snapshot that knows of every change of definitions so far, and that either has what is asked for
// or is fresh.
func (d *Discovery) current(has func(*snapshot) bool) (*snapshot, error) {
	d.mu.Lock()
	s, stale, settled := d.snapshot, d.stale, d.settled
	d.mu.Unlock()
	if s != nil && s.stale >= stale && s.isBelieved(settled) && (has(s) || time.Since(s.at) < missTime) {
		return s, nil
	}
	made, err, _ := d.asking.Do(fmt.Sprintf("kinds %d", stale), func() (any, error) { return d.ask(stale) })
	if err != nil {
		return nil, err
	}
	s, _ = made.(*snapshot)
	return s, nil
}

// isBelieved is false for a snapshot that may have been made too early after a change, once a later one is sure to
// show it.
func (s *snapshot) isBelieved(settled time.Time) bool {
	return !s.at.Before(settled) || time.Now().Before(settled)
}

func (d *Discovery) ask(stale int) (*snapshot, error) {
	ctx, cancel := d.limited()
	defer cancel()
	at := time.Now()
	_, lists, err := d.discovery.ServerGroupsAndResourcesWithContext(ctx)
	var partly *discovery.ErrGroupDiscoveryFailed
	if err != nil && !errors.As(err, &partly) {
		return nil, fmt.Errorf("asking the API server what it serves: %w", err)
	}
	s := &snapshot{at: at, stale: stale, kinds: map[schema.GroupVersionKind]served{},
		first: map[schema.GroupKind]schema.GroupVersionKind{}}
	if partly != nil {
		s.failed = partly.Groups
	}
	for _, list := range lists {
		s.add(list)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.snapshot == nil || d.snapshot.stale <= stale {
		d.snapshot = s
	}
	if !at.Before(d.settled) {
		clear(d.gone)
	}
	return s, nil
}

func (s *snapshot) add(list *metav1.APIResourceList) {
	gv, err := schema.ParseGroupVersion(list.GroupVersion)
	if err != nil { // no name that anybody could ask for
		return
	}
	has := map[string]bool{}
	for _, r := range list.APIResources {
		has[r.Name] = true
	}
	for _, r := range list.APIResources {
		if strings.Contains(r.Name, "/") || !slices.Contains(r.Verbs, "get") {
			continue
		}
		gvk := gv.WithKind(r.Kind)
		if _, known := s.first[gvk.GroupKind()]; !known {
			s.first[gvk.GroupKind()] = gvk
		}
		s.kinds[gvk] = served{
			Mapping: Mapping{Resource: gv.WithResource(r.Name), Namespaced: r.Namespaced},
			scale:   has[r.Name+"/scale"],
			status:  has[r.Name+"/status"],
		}
	}
}
