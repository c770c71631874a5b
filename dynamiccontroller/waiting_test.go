package dynamiccontroller

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

func TestWaiting(t *testing.T) {
	var w waiting
	start := time.Now()
	after := func(d time.Duration) time.Time { return start.Add(d) }
	want := func(what string, d time.Duration) {
		t.Helper()
		if got := w.oldest(after(time.Minute)); got != d {
			t.Errorf("%s: the oldest has waited %s, want %s", what, got, d)
		}
	}
	first, second := types.NamespacedName{Name: "first"}, types.NamespacedName{Name: "second"}
	want("nobody", 0)
	w.begin(first, start)
	w.begin(second, after(10*time.Second))
	w.begin(first, after(20*time.Second))
	want("two", time.Minute)
	w.end(first)
	want("the first is at work", 50*time.Second)
	w.end(first)
	w.begin(first, after(30*time.Second))
	want("the first waits anew", 50*time.Second)
	w.forget()
	want("the queue has ended", 0)
}
