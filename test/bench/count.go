package main

import (
	"context"
	"time"

	"github.com/plait-run/plait/cmd/plait/cluster"
)

// counted is what the engine asked of the API server.
type counted struct {
	total  int // without watches, leases and events
	events int
	by     map[string]int // verb and resource
}

// count runs a step and counts the engine's requests until it is quiet again.
func (w *world) count(ctx context.Context, do func() error) (counted, error) {
	_, offset, err := w.cluster.AuditEvents(0)
	if err != nil {
		return counted{}, err
	}
	if err := do(); err != nil {
		return counted{}, err
	}
	if err := w.settle(ctx); err != nil {
		return counted{}, err
	}
	events, _, err := w.cluster.AuditEvents(offset)
	return countOf(events), err
}

// settle waits until the engine has asked for nothing for a while.
func (w *world) settle(ctx context.Context) error {
	var offset int64
	last := time.Now()
	return w.until(ctx, "the engine to be quiet", func() (bool, error) {
		events, next, err := w.cluster.AuditEvents(offset)
		if err != nil {
			return false, err
		}
		offset = next
		if c := countOf(events); c.total+c.events > 0 {
			last = time.Now()
		}
		return time.Since(last) > quiet, nil
	})
}

func countOf(events []cluster.AuditEvent) counted {
	c := counted{by: map[string]int{}}
	for _, e := range events {
		if e.User.Username != engineUser || e.ObjectRef == nil || e.Verb == "watch" {
			continue
		}
		resource := e.ObjectRef.Resource
		if e.ObjectRef.Subresource != "" {
			resource += "/" + e.ObjectRef.Subresource
		}
		switch resource {
		case "leases":
		case "events":
			c.events++
		default:
			c.total++
			c.by[e.Verb+" "+resource]++
		}
	}
	return c
}
