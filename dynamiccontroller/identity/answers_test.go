package identity

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"
)

func TestAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAnswers[string, int](time.Minute, clock.RealClock{})
		asked := 0
		ask := func() (int, error) { asked++; return asked, nil }
		expect := func(what string, want int) {
			t.Helper()
			if got, err := a.get("q", ask); got != want || err != nil {
				t.Errorf("%s: %d, %v; want %d", what, got, err, want)
			}
		}
		expect("first", 1)
		expect("again", 1)
		time.Sleep(time.Minute) //nolint:forbidigo // the time of a synctest bubble is virtual
		expect("at its end", 1)
		time.Sleep(time.Nanosecond) //nolint:forbidigo // the time of a synctest bubble is virtual
		expect("after its end", 2)
		a.drop(func(q string) bool { return q == "q" })
		expect("after it was dropped", 3)
		time.Sleep(time.Hour) //nolint:forbidigo // the time of a synctest bubble is virtual
		if _, err := a.get("other", ask); err != nil || len(a.known) != 1 {
			t.Errorf("%d answers are kept, want only the new one", len(a.known))
		}
	})
}

func TestAnswersThatFail(t *testing.T) {
	a := newAnswers[string, int](time.Minute, clock.RealClock{})
	broken := errors.New("broken")
	if _, err := a.get("q", func() (int, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if got, err := a.get("q", func() (int, error) { return 7, nil }); got != 7 || err != nil {
		t.Errorf("after a failure: %d, %v; want 7", got, err)
	}
}

func TestAnswersAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAnswers[string, int](time.Minute, clock.RealClock{})
		asked := 0
		var asking sync.WaitGroup
		for range 5 {
			asking.Go(func() {
				got, err := a.get("q", func() (int, error) {
					time.Sleep(time.Second) //nolint:forbidigo // the time of a synctest bubble is virtual
					asked++
					return 7, nil
				})
				if got != 7 || err != nil {
					t.Errorf("%d, %v; want 7", got, err)
				}
			})
		}
		asking.Wait()
		if asked != 1 {
			t.Errorf("asked %d times at once, want once", asked)
		}
	})
}
