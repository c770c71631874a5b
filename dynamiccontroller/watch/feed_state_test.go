package watch

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// dated is a server that is at a resource version, and counts who asks for it.
type dated struct {
	server
	version string
	lists   int
}

func (d *dated) List(context.Context, metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	d.lists++
	out := &unstructured.UnstructuredList{}
	out.SetResourceVersion(d.version)
	return out, nil
}

// TestFeedSeesAServerPutBack has watches go on from where they were: only after a break the server is asked where it is, and a
// server that is not there any more has the list made anew.
func TestFeedSeesAServerPutBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &dated{version: "100"}
		f, _ := newTestFeed(&s.server)
		f.resource = s
		seconds := int64(300)
		goOn := func(lasts time.Duration) error {
			w, err := f.WatchWithContext(t.Context(), metav1.ListOptions{ResourceVersion: "100", TimeoutSeconds: &seconds})
			if err == nil {
				<-time.After(lasts)
				w.Stop()
			}
			return err
		}
		for i, tt := range []struct {
			lasts   time.Duration // of the watch
			version string        // of the server
			lists   int           // so far
			expired bool
		}{
			{300 * time.Second, "100", 0, false},
			{100 * time.Second, "100", 0, false}, // it has ended in time before, and breaks
			{300 * time.Second, "100", 1, false},
			{time.Second, "50", 1, false},
			{0, "50", 2, true},
			{0, "50", 3, true},
			{300 * time.Second, "101", 4, false},
			{300 * time.Second, "50", 4, false},
		} {
			s.version = tt.version
			if err := goOn(tt.lasts); apierrors.IsResourceExpired(err) != tt.expired || s.lists != tt.lists {
				t.Errorf("watch %d: the error is %v, after %d lists; want %d", i, err, s.lists, tt.lists)
			}
		}
	})
}
