package instance

import (
	"fmt"
	"time"

	"github.com/plait-run/plait/runtime/plan"
)

// How long a write is left alone that may succeed without an event: a right, a quota or a namespace may
// come, and an object of somebody else may go.
const (
	firstRetry = 15 * time.Second
	lastRetry  = 5 * time.Minute
)

// conflictRetry is how long the cache has to show that an instance is gone, as a conflict may mean.
const conflictRetry = time.Second

// takeFault keeps a fault for this pass, and what repeating the write would not change for later ones. A passing fault
// is retried by the queue.
func (c *Controller) takeFault(p *pass, o plan.Object, fault plan.Fault) {
	p.note(o.Key, fault)
	if fault.Passing {
		p.memory.doubtful = c.now()
		p.err = fmt.Errorf("applying node %q: %s: %s", o.Node, o.Key, fault.Message)
		return
	}
	s := setback{attempt: attemptOf(p.owner, o, p.observed.Children[o.Key]), fault: fault, tries: 1}
	if last, ok := p.memory.setbacks[o.Key]; ok && last.attempt.hash == s.attempt.hash {
		s.tries = last.tries + 1
	}
	delay := retryDelay(fault.Reason, s.tries, c.config.DefaultRequeueDuration)
	s.until = c.now().Add(delay)
	p.memory.setbacks[o.Key] = s
	p.lookAgain(delay)
}

// retryDelay doubles for what may be granted, appear or calm down, and is the default for what somebody has to change.
func retryDelay(reason plan.Reason, tries int, standard time.Duration) time.Duration {
	switch reason {
	case plan.ReasonConflict:
		return min(time.Minute<<min(tries-1, 10), standard)
	case plan.ReasonForbidden, plan.ReasonAdmissionDenied, plan.ReasonProgressing, plan.ReasonObjectNotOwned:
		return min(firstRetry<<min(tries-1, 10), lastRetry)
	default:
		return standard
	}
}
