package mounts

import (
	"errors"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller"
	"github.com/plait-run/plait/dynamiccontroller/track"
)

// watcher keeps copies of whole kinds; watch.Watcher does.
type watcher interface {
	SetWanted(owner track.Owner, children []schema.GroupVersionResource, externals []track.External)
	External(key track.External) (objs []*unstructured.Unstructured, synced bool)
}

// sources knows what Workspaces refer to, and reads it: from the copy that serves the instances of a graph where there is
// one, else from a copy that is kept as long as some Workspace refers to the kind. Safe for concurrent use.
type sources struct {
	instances Instances // nil: there are none
	watcher   watcher
	now       func() time.Time

	mu        sync.Mutex // never held over I/O
	index     *index
	watched   map[schema.GroupVersionResource]bool
	published map[schema.GroupVersionResource]string // by a graph, with the name of its group
	faults    map[schema.GroupVersionResource]fault
}

// fault is why a copy cannot be had.
type fault struct {
	err   error
	since time.Time
}

func newSources(instances Instances, w watcher, now func() time.Time) *sources {
	return &sources{
		instances: instances, watcher: w, now: now, index: newIndex(),
		watched: map[schema.GroupVersionResource]bool{}, published: map[schema.GroupVersionResource]string{},
		faults: map[schema.GroupVersionResource]fault{},
	}
}

// aim notes which kind a Workspace refers to, before anybody is asked about the kind: what changes afterwards is heard. The
// object stays where it was if the kind does.
func (s *sources) aim(w workspaceKey, kind schema.GroupKind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if had := s.index.targets[w]; had.kind != kind {
		s.setLocked(w, target{kind: kind})
	}
}

// set notes what a Workspace refers to, before it is read.
func (s *sources) set(w workspaceKey, t target) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setLocked(w, t)
}

func (s *sources) setLocked(w workspaceKey, t target) {
	had := s.index.targets[w]
	s.index.set(w, t)
	s.followLocked(had.mount.Resource)
	s.followLocked(t.mount.Resource)
}

// followLocked watches a resource if it is needed and nobody else does.
func (s *sources) followLocked(resource schema.GroupVersionResource) {
	wanted := s.index.uses[resource] > 0 && !s.isSharedLocked(resource)
	if resource.Empty() || s.watched[resource] == wanted {
		return
	}
	owner := track.Owner{Resource: resource}
	if !wanted {
		delete(s.watched, resource)
		delete(s.faults, resource)
		s.watcher.SetWanted(owner, nil, nil)
		return
	}
	s.watched[resource] = true
	s.watcher.SetWanted(owner, nil, []track.External{{Resource: resource}})
}

// isSharedLocked tells whether a copy of the kind's instances exists already, or is about to.
func (s *sources) isSharedLocked(resource schema.GroupVersionResource) bool {
	if s.instances == nil {
		return false
	}
	if s.published[resource] != "" {
		return true
	}
	_, why := s.instances.State(resource)
	return !errors.Is(why, dynamiccontroller.ErrNotRegistered)
}

// publish notes which group serves a resource.
func (s *sources) publish(resource schema.GroupVersionResource, group string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.withdrawLocked(group, resource)
	s.published[resource] = group
	s.followLocked(resource)
}

// withdraw notes that a group serves nothing any more, and gives the Workspaces that this touches.
func (s *sources) withdraw(group string) []workspaceKey {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.withdrawLocked(group, schema.GroupVersionResource{})
}

func (s *sources) withdrawLocked(group string, except schema.GroupVersionResource) []workspaceKey {
	var touched []workspaceKey
	for resource, by := range s.published {
		if by == group && resource != except {
			delete(s.published, resource)
			s.followLocked(resource)
			touched = append(touched, s.index.ofResource(resource)...)
		}
	}
	return touched
}

// failed notes why a copy cannot be had.
func (s *sources) failed(resource schema.GroupVersionResource, err error) []workspaceKey {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[resource] = fault{err: err, since: s.now()}
	return s.index.ofResource(resource)
}

func (s *sources) ofMount(m mountKey) []workspaceKey {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.index.ofMount(m)
}

func (s *sources) ofKind(kind schema.GroupKind) []workspaceKey {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.index.ofKind(kind)
}

func (s *sources) ofResource(resource schema.GroupVersionResource) []workspaceKey {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.index.ofResource(resource)
}

// isMounted tells whether some Workspace refers to an object.
func (s *sources) isMounted(m mountKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.index.mounts[m]) > 0
}

// read gives an object that a Workspace refers to; nil when it does not exist. complete is false while it cannot be told;
// whoever refers to it is told when it can.
func (s *sources) read(m mountKey) (u *unstructured.Unstructured, complete bool, why fault) {
	s.mu.Lock()
	s.followLocked(m.Resource) // who serves the kind may have changed
	isShared := s.isSharedLocked(m.Resource)
	s.mu.Unlock()
	if isShared {
		if u, ok := s.instances.Instance(m.Resource, m.NamespacedName); ok {
			return u, true, fault{}
		}
		complete, _ = s.instances.State(m.Resource)
		return nil, complete, fault{}
	}
	objs, complete := s.watcher.External(track.External{Resource: m.Resource, Namespace: m.Namespace, Name: m.Name})
	switch {
	case !complete:
		s.mu.Lock()
		defer s.mu.Unlock()
		return nil, false, s.faults[m.Resource]
	case len(objs) == 0:
		return nil, true, fault{}
	default:
		return objs[0], true, fault{}
	}
}
