package world

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/plait-run/plait/cmd/plait/cluster"
)

// engineAgent is the user agent by which requests of an engine, in this process or its own, are told from others.
const engineAgent = "plait"

// Quiet is how long an engine has to ask for nothing until it counts as idle, where time matters more than certainty.
const Quiet = 300 * time.Millisecond

// Ledger reads the requests of the engine from the audit log. Watches, leases and events do not count.
type Ledger struct {
	t      testing.TB
	world  *World
	offset int64
	quiet  time.Duration
}

// NewLedger waits until the engine is idle and begins to count then.
func (w *World) NewLedger(t testing.TB) *Ledger {
	t.Helper()
	l := &Ledger{t: t, world: w, quiet: Quiet}
	l.Take()
	return l
}

// Take gives the requests since the last time as `verb resource name`, with the status of those that failed, once the
// engine is idle.
func (l *Ledger) Take() []string {
	l.t.Helper()
	events, err := l.Settle(context.Background())
	if err != nil {
		l.t.Fatal(err)
	}
	var out []string
	for _, e := range events {
		text := fmt.Sprintf("%s %s %s", e.Verb, e.ObjectRef.Resource, e.ObjectRef.Name)
		if e.ObjectRef.Subresource != "" {
			text += "/" + e.ObjectRef.Subresource
		}
		if e.ResponseStatus.Code >= 400 {
			text += fmt.Sprintf(" (%d)", e.ResponseStatus.Code)
		}
		out = append(out, text)
	}
	return out
}

// LedgerFor counts from here on; the engine is idle after so much time without a request. It is for programs.
func (w *World) LedgerFor(quiet time.Duration) (*Ledger, error) {
	_, offset, err := w.AuditEvents(0)
	return &Ledger{world: w, offset: offset, quiet: quiet}, err
}

// Settle gives the engine's requests since the last time, once it is idle.
func (l *Ledger) Settle(ctx context.Context) ([]cluster.AuditEvent, error) {
	var out []cluster.AuditEvent
	last := time.Now()
	err := Until(ctx, "the engine to come to rest", func() error {
		fresh, err := l.fresh()
		if err != nil {
			return Final(err)
		}
		if len(fresh) > 0 {
			out, last = append(out, fresh...), time.Now()
		}
		if time.Since(last) < l.quiet {
			return errors.New("its last requests are " + describe(out[max(0, len(out)-5):]))
		}
		return nil
	})
	return out, err
}

func (l *Ledger) fresh() ([]cluster.AuditEvent, error) {
	events, next, err := l.world.AuditEvents(l.offset)
	l.offset = next
	var out []cluster.AuditEvent
	for _, e := range events {
		if strings.HasPrefix(e.UserAgent, engineAgent) && isWork(e) {
			out = append(out, e)
		}
	}
	return out, err
}

func isWork(e cluster.AuditEvent) bool {
	return e.Verb != "watch" && e.ObjectRef != nil && e.ObjectRef.Resource != "leases" && e.ObjectRef.Resource != "events"
}

// Count gives the number of requests by `verb resource`.
func Count(events []cluster.AuditEvent) map[string]int {
	by := map[string]int{}
	for _, e := range events {
		resource := e.ObjectRef.Resource
		if e.ObjectRef.Subresource != "" {
			resource += "/" + e.ObjectRef.Subresource
		}
		by[e.Verb+" "+resource]++
	}
	return by
}

func describe(events []cluster.AuditEvent) string {
	var out []string
	for _, e := range events {
		out = append(out, e.Verb+" "+e.RequestURI)
	}
	return strings.Join(out, ", ")
}
