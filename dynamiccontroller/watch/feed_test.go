package watch

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

var notInstalled = apierrors.NewNotFound(schema.GroupResource{Resource: "things"}, "")

// server answers watches with errors in turn, and then well.
type server struct {
	dynamic.ResourceInterface
	errs    []error
	asked   int
	options metav1.ListOptions
	stream  *watch.FakeWatcher
}

func (s *server) Watch(_ context.Context, o metav1.ListOptions) (watch.Interface, error) {
	s.asked++
	s.options = o
	if len(s.errs) > 0 {
		err := s.errs[0]
		s.errs = s.errs[1:]
		return nil, err
	}
	s.stream = watch.NewFake()
	return s.stream, nil
}

func newTestFeed(s *server) (f *feed, recovered *int) {
	recovered = new(int)
	return &feed{resource: s, retry: make(chan struct{}, 1), recovered: func() { *recovered++ },
		selection: metav1.ListOptions{LabelSelector: "a=b"}}, recovered
}

func TestFeedInsists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{errs: []error{notInstalled, notInstalled, apierrors.NewTooManyRequests("wait", 1)}}
		f, recovered := newTestFeed(s)
		failed := 0
		f.failed = func() { failed++ }
		begun := time.Now()
		w, err := f.WatchWithContext(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Stop()
		if took := time.Since(begun); took > 7*firstDelay || s.asked != 4 {
			t.Errorf("%d attempts in %v, want 4 within %v", s.asked, took, 7*firstDelay)
		}
		if failed != 1 {
			t.Errorf("told of %d failures, want one for all attempts", failed)
		}
		if f.why() != nil || *recovered != 1 || s.options.LabelSelector != "a=b" {
			t.Errorf("fault %v, recovered %d times, selector %q", f.why(), *recovered, s.options.LabelSelector)
		}
	})
}

// TestFeedTellsRefusals has a failure that becomes a refusal told once more.
func TestFeedTellsRefusals(t *testing.T) {
	refused := apierrors.NewForbidden(schema.GroupResource{Resource: "things"}, "", nil)
	f, recovered := newTestFeed(&server{})
	failed := 0
	f.failed = func() { failed++ }
	for i, tt := range []struct {
		err               error
		failed, recovered int // in all
	}{
		{notInstalled, 1, 0}, {notInstalled, 1, 0}, {refused, 2, 0}, {refused, 2, 0}, {notInstalled, 2, 0}, {refused, 3, 0}, {nil, 3, 1}, {refused, 4, 1},
	} {
		f.setFailure(tt.err)
		if failed != tt.failed || *recovered != tt.recovered {
			t.Errorf("after %d: told of %d failures and %d recoveries, want %d and %d", i, failed, *recovered, tt.failed, tt.recovered)
		}
	}
}

func TestFeedLeavesToReflector(t *testing.T) {
	gone := &apierrors.StatusError{ErrStatus: metav1.Status{Code: http.StatusGone, Reason: metav1.StatusReasonGone, Message: "old"}}
	for _, err := range []error{
		apierrors.NewResourceExpired("old"), gone, apierrors.NewBadRequest("no"),
		apierrors.NewInvalid(schema.GroupKind{}, "", nil),
	} {
		s := &server{errs: []error{err}}
		f, _ := newTestFeed(s)
		if _, got := f.WatchWithContext(t.Context(), metav1.ListOptions{}); !errors.Is(got, err) || s.asked != 1 {
			t.Errorf("%v: got %v after %d attempts, want it at once", err, got, s.asked)
		}
		if f.why() == nil {
			t.Errorf("%v: the copy is believed", err)
		}
	}
}

// TestFeedWaits ends a long wait by Retry, and the next one by the end of the context.
func TestFeedWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		errs := make([]error, 1000)
		for i := range errs {
			errs[i] = notInstalled
		}
		s := &server{errs: errs}
		f, _ := newTestFeed(s)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			_, err := f.WatchWithContext(ctx, metav1.ListOptions{})
			ended <- err
		}()
		time.Sleep(10 * time.Minute) //nolint:forbidigo // the time of a synctest bubble is virtual
		synctest.Wait()
		asked := s.asked
		f.retry <- struct{}{}
		synctest.Wait()
		if s.asked != asked+1 {
			t.Errorf("%d attempts after Retry, want %d", s.asked, asked+1)
		}
		begun := time.Now()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want the end of the context", err)
		}
		if took := time.Since(begun); took != 0 {
			t.Errorf("stopping took %v", took)
		}
	})
}

// TestFeedStreamedList believes a copy again when the streamed list is complete, not when it begins.
func TestFeedStreamedList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{errs: []error{notInstalled}}
		f, recovered := newTestFeed(s)
		w, err := f.WatchWithContext(t.Context(), metav1.ListOptions{SendInitialEvents: new(true)})
		if err != nil {
			t.Fatal(err)
		}
		if f.why() == nil {
			t.Error("the copy is believed before its list is complete")
		}
		end := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{
			"annotations": map[string]any{metav1.InitialEventsAnnotationKey: "true"},
		}}}
		go s.stream.Action(watch.Bookmark, end)
		if e := <-w.ResultChan(); e.Type != watch.Bookmark {
			t.Errorf("event %v, want the bookmark", e)
		}
		if f.why() != nil || *recovered != 1 {
			t.Errorf("fault %v, recovered %d times", f.why(), *recovered)
		}
		w.Stop()
	})
}

// TestFeedKnowsWhetherItWatches opens watches, one over the end of another, and stops them.
func TestFeedKnowsWhetherItWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _ := newTestFeed(&server{})
		open := func() watch.Interface {
			w, err := f.WatchWithContext(t.Context(), metav1.ListOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		want := func(what string, begun time.Time) {
			t.Helper()
			if since := f.watchingSince(); !since.Equal(begun) {
				t.Errorf("%s: watching since %v, want %v", what, since, begun)
			}
		}
		want("before", time.Time{})
		begun := time.Now()
		first := open()
		time.Sleep(time.Second) //nolint:forbidigo // the time of a synctest bubble is virtual
		second := open()
		first.Stop()
		first.Stop()
		want("a second watch", begun)
		second.Stop()
		want("none", time.Time{})
		time.Sleep(time.Second) //nolint:forbidigo // the time of a synctest bubble is virtual
		third := open()
		want("after a break", time.Now())
		third.Stop()
	})
}
