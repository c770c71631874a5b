package instance

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDeniedReadsAreAskedAgain has passes in between that are about something else.
func TestDeniedReadsAreAskedAgain(t *testing.T) {
	start, m := time.Unix(1000, 0), newMemory("u")
	var got []time.Duration
	for _, at := range []time.Duration{0, time.Second, 61 * time.Second, 62 * time.Second, 183 * time.Second, 427 * time.Second} {
		p := &pass{began: start.Add(at), memory: m}
		p.refuseRead()
		p.refuseRead()
		got = append(got, p.again)
	}
	want := []time.Duration{61 * time.Second, 60 * time.Second, 122 * time.Second, 121 * time.Second, 244 * time.Second, lastRetry}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("looks again after (-want +got):\n%s", diff)
	}
}
