package sync

import (
	"context"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"

	"github.com/plait-run/plait/dynamiccontroller/watch"
)

// The waits between two attempts at one object.
const (
	firstDelay = 200 * time.Millisecond
	lastDelay  = time.Minute
)

// line is a queue of objects with a backoff of its own, and the caches that fill it.
type line struct {
	queue   workqueue.TypedRateLimitingInterface[types.NamespacedName]
	log     logr.Logger
	workers int
	// do sees to one object. after asks for another look by time; an error, for one by the backoff.
	do func(ctx context.Context, key types.NamespacedName) (after time.Duration, err error)
}

func newLine(log logr.Logger, workers int) line {
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[types.NamespacedName](firstDelay, lastDelay)
	return line{queue: workqueue.NewTypedRateLimitingQueue(limiter), log: log, workers: workers}
}

// run keeps the caches and works until ctx ends or done is closed, and joins all that it started. A nil done never is.
func (l line) run(ctx context.Context, done <-chan struct{}, caches ...*watch.Cache) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	for _, c := range caches {
		running.Go(func() { c.Run(ctx) })
	}
	for range l.workers {
		running.Go(func() {
			for l.work(ctx) {
			}
		})
	}
	defer l.queue.ShutDown()
	select {
	case <-ctx.Done():
	case <-done:
	}
}

// work takes one object from the queue; false: the queue has ended.
func (l line) work(ctx context.Context) bool {
	key, ended := l.queue.Get()
	if ended {
		return false
	}
	defer l.queue.Done(key)
	after, err := l.do(ctx, key)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		l.log.V(1).Info("Trying again", "object", key.String(), "cause", err.Error())
		l.queue.AddRateLimited(key)
	default:
		l.queue.Forget(key)
		if after > 0 {
			l.queue.AddAfter(key, after)
		}
	}
	return true
}
