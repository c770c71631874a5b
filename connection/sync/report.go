package sync

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Report is how a syncer stands.
type Report struct {
	Running   bool      // both lists are complete
	Fault     error     // why one of them is not; nil while they are being read
	Denied    string    // what the provider's RBAC refuses; empty: nothing
	Objects   int       // whose copy is as it should be
	Conflicts int       // objects that somebody else's object is in the way of
	Refused   int       // objects that the provider refuses
	Moving    int       // objects that are on their way
	Late      int       // objects that have been on their way for some seconds
	Left      int       // of a syncer that leaves: objects that are not let go, and copies that are not deleted
	LastWrite time.Time // on either side; zero: none yet
}

// report gathers one.
func (s *syncer) report() Report {
	out := s.ledger.sum(s.cfg.Now())
	out.Running, out.Fault = s.isComplete()
	if s.task.Mode.Leaves() {
		out.Left = s.left()
	}
	return out
}

// left counts what a syncer that leaves has still to do.
func (s *syncer) left() int {
	n := 0
	for _, obj := range s.consumer.Select("", everything) {
		if isHeld(obj) && !s.isKept(obj.GetNamespace()) {
			n++
		}
	}
	if s.provider == nil {
		return n
	}
	for _, live := range s.provider.Select("", everything) {
		if s.maker.IsMade(live) && s.isInPlace(live) {
			n++
		}
	}
	return n
}

func isHeld(obj *unstructured.Unstructured) bool {
	return slices.Contains(obj.GetFinalizers(), v1alpha1.FinalizerSync)
}
