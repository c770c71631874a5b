package lease_test

import (
	"strings"
	"testing"

	"github.com/plait-run/plait/connection/lease"
)

func TestNewBeatNamesLeasesApart(t *testing.T) {
	long := strings.Repeat("a", 62)
	seen := map[string]bool{}
	for _, b := range []lease.Beat{
		lease.NewBeat("acme", "plait", "here"), lease.NewBeat("acme", "plait", "there"), lease.NewBeat("other", "plait", "here"),
		lease.NewBeat(long+"b", "plait", "here"), lease.NewBeat(long+"c", "plait", "here"),
	} {
		if seen[b.Name] {
			t.Errorf("two Leases are called %q", b.Name)
		}
		seen[b.Name] = true
		if len(b.Name) > 63 || !strings.HasPrefix(b.Name, "plait-") {
			t.Errorf("%q is no name of a Lease", b.Name)
		}
	}
}
