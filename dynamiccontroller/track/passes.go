package track

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Object names an object. Comparable.
type Object struct {
	Resource schema.GroupVersionResource
	types.NamespacedName
}

// Version is one state of an object by its resourceVersion. Comparable.
type Version struct {
	Object
	ResourceVersion string
}

// Passes holds back events that come while their owner is being worked on, since the event of a write often comes
// before the answer to it. When the pass ends, those that only show its own writes are dropped. Safe for concurrent
// use.
type Passes struct {
	mu   sync.Mutex
	open map[Owner]*pass
}

type pass struct {
	news, answers map[Version]struct{}
}

// NewPasses gives Passes of which none is open.
func NewPasses() *Passes { return &Passes{open: map[Owner]*pass{}} }

// Begin opens the pass of an owner.
func (p *Passes) Begin(o Owner) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[o] = &pass{news: map[Version]struct{}{}, answers: map[Version]struct{}{}}
}

// End closes the pass of an owner, and tells whether something came that was not the effect of its writes.
func (p *Passes) End(o Owner) (again bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	ended := p.open[o]
	delete(p.open, o)
	if ended == nil {
		return false
	}
	for v := range ended.news {
		if _, own := ended.answers[v]; !own {
			return true
		}
	}
	return false
}

// News takes an event that shows a state of an object; false when no pass of the owner is open, so that the event has
// to be acted upon now.
func (p *Passes) News(o Owner, v Version) (held bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	current := p.open[o]
	if current == nil {
		return false
	}
	current.news[v] = struct{}{}
	return true
}

// Answer takes the state that a write of the pass came to.
func (p *Passes) Answer(o Owner, v Version) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if current := p.open[o]; current != nil {
		current.answers[v] = struct{}{}
	}
}
