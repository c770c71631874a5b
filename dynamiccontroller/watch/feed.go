package watch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

const (
	firstDelay = 20 * time.Millisecond
	lastDelay  = 15 * time.Second
)

// feed lists and watches for a reflector. It does the waiting between attempts itself, so that stopping and Retry
// end it at once, and knows whether the copy can be trusted.
type feed struct {
	resource  dynamic.ResourceInterface
	selection metav1.ListOptions // the selectors of each request
	recovered func()             // called when a failure is over; not under a lock
	failed    func()             // called when one begins, or becomes a refusal; may be nil; not under a lock
	retry     chan struct{}      // of one; ends a wait early

	mu      sync.Mutex
	suspect bool      // the server may have been put back to an earlier state since the last answer
	failure error     // of the last attempt; nil while the copy is being kept up to date
	watches int       // that are open
	since   time.Time // when watches was last 0; zero: never
}

// watchingSince tells since when a watch has been open without a break; zero: none is open now, as while the reflector
// waits between a watch that ended early and the next one.
func (f *feed) watchingSince() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.watches == 0 {
		return time.Time{}
	}
	return f.since
}

// noted is a watch whose life the feed knows. The reflector stops every watch when it is done with it.
type noted struct {
	watch.Interface
	stopped func()
}

// Stop is part of watch.Interface.
func (n noted) Stop() {
	n.stopped()
	n.Interface.Stop()
}

// note counts a watch as open until it is stopped.
func (f *feed) note(w watch.Interface, options metav1.ListOptions) watch.Interface {
	f.mu.Lock()
	defer f.mu.Unlock()
	begun := time.Now()
	if f.watches == 0 {
		f.since = begun
	}
	f.watches++
	return noted{w, sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.watches--
		f.suspect = f.suspect || isEarly(time.Since(begun), options)
	})}
}

// why gives the failure, nil when there is none.
func (f *feed) why() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failure
}

func (f *feed) setFailure(err error) {
	f.mu.Lock()
	had := f.failure
	f.failure = err
	f.suspect = f.suspect || err != nil
	f.mu.Unlock()
	switch {
	case had != nil && err == nil:
		f.recovered()
	case err != nil && f.failed != nil && (had == nil || apierrors.IsForbidden(err) && !apierrors.IsForbidden(had)):
		f.failed()
	}
}

// ListWithContext is the fallback for servers that do not stream lists.
func (f *feed) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	var list *unstructured.UnstructuredList
	err := f.insist(ctx, func() (err error) {
		list, err = f.resource.List(ctx, f.selected(options))
		return err
	})
	if err != nil {
		return nil, err
	}
	f.setFailure(nil)
	return list, nil
}

// WatchWithContext watches; with a streamed list, the failure is over when that is complete.
func (f *feed) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	var w watch.Interface
	err := f.insist(ctx, func() (err error) {
		if w, err = f.resource.Watch(ctx, f.selected(options)); err != nil {
			return err
		}
		if err = f.checkState(ctx, options); err != nil {
			w.Stop()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if !isStreamedList(options) {
		f.setFailure(nil)
		return f.note(w, options), nil
	}
	return f.note(watch.Filter(w, func(e watch.Event) (watch.Event, bool) {
		if isEndOfList(e) {
			f.setFailure(nil)
		}
		return e, true
	}), options), nil
}

func isStreamedList(options metav1.ListOptions) bool {
	return options.SendInitialEvents != nil && *options.SendInitialEvents
}

// List and Watch complete the interface of a lister and watcher; the reflector does not call them.
func (f *feed) List(options metav1.ListOptions) (runtime.Object, error) {
	return f.ListWithContext(context.Background(), options)
}

// Watch is WatchWithContext for callers without a context.
func (f *feed) Watch(options metav1.ListOptions) (watch.Interface, error) {
	return f.WatchWithContext(context.Background(), options)
}

func (f *feed) selected(options metav1.ListOptions) metav1.ListOptions {
	options.LabelSelector = f.selection.LabelSelector
	options.FieldSelector = f.selection.FieldSelector
	return options
}

// insist calls until the call succeeds, fails in a way that only the reflector can cure, or ctx ends.
func (f *feed) insist(ctx context.Context, call func() error) error {
	delay := firstDelay
	for {
		err := call()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.setFailure(err)
		if isForReflector(err) {
			return err
		}
		if err := f.wait(ctx, delay); err != nil {
			return err
		}
		delay = min(2*delay, lastDelay)
	}
}

// checkState has the list made anew where the server is in an earlier state than the one that a watch is to go on from: its
// store has been restored from a copy. Such a watch would be silent, and nobody the wiser, until the server has made up for
// all that it has lost. It is asked for only after a break that a restart may have been behind, and once a watch is open again.
func (f *feed) checkState(ctx context.Context, options metav1.ListOptions) error {
	f.mu.Lock()
	isSuspect := f.suspect
	f.mu.Unlock()
	if !isSuspect || isStreamedList(options) || options.ResourceVersion == "" || options.ResourceVersion == "0" {
		return nil
	}
	list, err := f.resource.List(ctx, f.selected(metav1.ListOptions{Limit: 1}))
	if err != nil {
		return err
	}
	order, err := resourceversion.CompareResourceVersion(list.GetResourceVersion(), options.ResourceVersion)
	if err == nil && order < 0 {
		return apierrors.NewResourceExpired(fmt.Sprintf("the server is at resource version %s, before %s", list.GetResourceVersion(), options.ResourceVersion))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.suspect = false
	return nil
}

// isEarly tells whether a watch of a certain age ends before the time that was asked for.
func isEarly(age time.Duration, options metav1.ListOptions) bool {
	return options.TimeoutSeconds == nil || age < time.Duration(*options.TimeoutSeconds)*time.Second-time.Second
}

// wait waits between half of d and d.
func (f *feed) wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d/2 + rand.N(d/2))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return fmt.Errorf("waiting to try again: %w", ctx.Err())
	case <-f.retry:
	case <-timer.C:
	}
	return nil
}

// isForReflector tells whether a list has to be made anew, or in another way.
func isForReflector(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) || apierrors.IsInvalid(err) ||
		apierrors.IsBadRequest(err) || apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
}

func isEndOfList(e watch.Event) bool {
	if e.Type != watch.Bookmark {
		return false
	}
	u, ok := e.Object.(*unstructured.Unstructured)
	return ok && u.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true"
}
