package main

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"

	"github.com/plait-run/plait/test/world"
)

// progress follows the instances by an informer, so that waiting costs no requests.
type progress struct {
	cancel  context.CancelFunc
	factory dynamicinformer.DynamicSharedInformerFactory

	mu      sync.Mutex
	ready   map[string]bool
	deleted int
}

func (w *rig) watchThings(ctx context.Context) *progress {
	ctx, cancel := context.WithCancel(ctx)
	p := &progress{cancel: cancel, factory: dynamicinformer.NewDynamicSharedInformerFactory(w.client, 0), ready: map[string]bool{}}
	informer := p.factory.ForResource(things).Informer()
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc:    p.seen,
		UpdateFunc: func(_, now any) { p.seen(now) },
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

func (p *progress) seen(object any) {
	o, ok := object.(*unstructured.Unstructured)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ready[o.GetName()] = world.IsReady(o)
}

// active is the number of instances that are ACTIVE at their generation.
func (p *progress) active() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, ready := range p.ready {
		if ready {
			n++
		}
	}
	return n
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
