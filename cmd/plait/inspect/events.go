package inspect

import (
	"cmp"
	"context"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Event is something that happened to an object.
type Event struct {
	Type    string     `json:"type"` // Normal, Warning
	Reason  string     `json:"reason"`
	Message string     `json:"message"`
	Count   int64      `json:"count,omitempty"`
	Last    *time.Time `json:"last,omitempty"`
}

// Events gives the events of an object, newest first; none when they may not be read.
func Events(ctx context.Context, reader Reader, u *unstructured.Unstructured) []Event {
	kinds, err := reader.Kinds(ctx)
	if err != nil {
		return nil
	}
	g := &gatherer{ctx: ctx, reader: reader, kinds: kinds}
	return g.events(string(u.GetUID()), u.GetNamespace())
}

func newEvents(objects []unstructured.Unstructured) []Event {
	var out []Event
	for i := range objects {
		o := objects[i].Object
		e := Event{Type: textAt(o, "type"), Reason: textAt(o, "reason"), Message: textAt(o, "message"), Count: numberAt(o, "count")}
		for _, path := range [][]string{{"lastTimestamp"}, {"series", "lastObservedTime"}, {"eventTime"}, {"metadata", "creationTimestamp"}} {
			if e.Last = timeAt(o, path...); e.Last != nil {
				break
			}
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b Event) int {
		return cmp.Or(unix(b.Last)-unix(a.Last), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}

func unix(t *time.Time) int {
	if t == nil {
		return 0
	}
	return int(t.Unix())
}
