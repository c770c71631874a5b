package main

import (
	"context"
	"slices"
	"strings"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

// counted is what the engine asked of the API server.
type counted struct {
	total int            // without watches, leases and events
	by    map[string]int // verb and resource
}

// count runs a step and counts the engine's requests until it is quiet again.
func (w *rig) count(ctx context.Context, do func() error) (counted, error) {
	requests, err := w.LedgerFor(quiet)
	if err != nil {
		return counted{}, err
	}
	if err := do(); err != nil {
		return counted{}, err
	}
	events, err := requests.Settle(ctx)
	return countOf(events), err
}

// settle waits until the engine has asked for nothing for a while.
func (w *rig) settle(ctx context.Context) error {
	requests, err := w.LedgerFor(quiet)
	if err != nil {
		return err
	}
	_, err = requests.Settle(ctx)
	return err
}

func countOf(requests []cluster.AuditEvent) counted {
	return counted{total: len(requests), by: world.Count(requests)}
}

// writesOf counts what changed, or tried to change, objects of these resources or their status.
func (c counted) writesOf(resources ...string) int {
	n := 0
	for what, times := range c.by {
		verb, resource, _ := strings.Cut(what, " ")
		resource, _, _ = strings.Cut(resource, "/")
		if verb != "get" && verb != "list" && slices.Contains(resources, resource) {
			n += times
		}
	}
	return n
}
