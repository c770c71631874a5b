package main

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"

	"github.com/plait-run/plait/test/world"
)

// seen is what was seen of an instance when it last became, or ceased to be, ACTIVE.
type seen struct {
	generation int64
	ready      bool
	at         time.Time
}

// progress follows the instances by an informer, so that waiting costs no requests.
type progress struct {
	cancel  context.CancelFunc
	factory dynamicinformer.DynamicSharedInformerFactory

	mu      sync.Mutex
	ready   map[string]seen
	deleted int
}

func (w *rig) watchThings(ctx context.Context) *progress {
	ctx, cancel := context.WithCancel(ctx)
	p := &progress{cancel: cancel, factory: dynamicinformer.NewDynamicSharedInformerFactory(w.client, 0), ready: map[string]seen{}}
	informer := p.factory.ForResource(things).Informer()
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc:    p.see,
		UpdateFunc: func(_, now any) { p.see(now) },
		DeleteFunc: func(any) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.deleted++
		},
	}
	if _, err := informer.AddEventHandler(handler); err != nil {
		cancel()
		return p
	}
	p.factory.Start(ctx.Done())
	cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
	return p
}

func (p *progress) see(object any) {
	o, ok := object.(*unstructured.Unstructured)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := p.ready[o.GetName()]; last.generation != o.GetGeneration() || !last.ready {
		p.ready[o.GetName()] = seen{o.GetGeneration(), world.IsReady(o), time.Now()}
	}
}

// active is the number of instances that are ACTIVE at their generation, which is at least the one given.
func (p *progress) active(generation int64) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, s := range p.ready {
		if s.ready && s.generation >= generation {
			n++
		}
	}
	return n
}

// since is how long after a time an instance was seen to be ACTIVE.
func (p *progress) since(name string, began time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ready[name].at.Sub(began)
}

func (p *progress) gone() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.deleted
}

func (p *progress) stop() {
	p.cancel()
	p.factory.Shutdown()
}
