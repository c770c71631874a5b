package main

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/plait-run/plait/test/world"
)

const (
	stormTime = 10 * time.Second
	// stormRequests is how many requests of a copy there may be in a storm: each retry waits longer than the last.
	stormRequests = 40
)

// TestStorm is an API server that is full: it answers nothing but 429.
func TestStorm(t *testing.T) {
	s, all := newPassages(t, "chain", 5)
	mustBegin(t, s, all)
	mustStage(t, s, 0, all)
	defer shared.proxy.breakAll(nil)
	shared.proxy.breakAll(&fault{ending: http.StatusTooManyRequests})
	_, from := shared.proxy.since(0)
	s.during = func(ctx context.Context) error {
		defer shared.proxy.breakAll(nil)
		return world.Wait(ctx, stormTime)
	}
	mustStage(t, s, 1, all)
	asked, _ := shared.proxy.since(from)
	of := map[string]int{}
	for _, r := range asked {
		if of[r.token]++; r.broken != nil && r.token != "" && of[r.token] == stormRequests {
			t.Errorf("%d requests for one copy in the storm", stormRequests)
		}
	}
	if len(of) <= len(all) {
		t.Error("the storm reached nobody")
	}
	report(t, s)
}

// TestRestartOfTheAPIServer has the API server end in the middle of a creation, and of a deletion.
func TestRestartOfTheAPIServer(t *testing.T) {
	s, all := newPassages(t, "collection", 10)
	mustBegin(t, s, all)
	for i := range s.workload.stages {
		if i > 0 && i < len(s.workload.stages)-1 {
			s.during = nil
			mustStage(t, s, i, all)
			continue
		}
		_, from := shared.proxy.since(0)
		s.during = func(ctx context.Context) error {
			err := shared.until(ctx, "the first writes", func() error {
				if log, _ := shared.proxy.since(from); len(writesOf(log, all[0].token)) > 0 {
					return nil
				}
				return fmt.Errorf("there are none")
			})
			if err != nil {
				return err
			}
			return shared.RestartAPIServer(ctx)
		}
		mustStage(t, s, i, all)
	}
	report(t, s)
}

func mustBegin(t *testing.T, s *sweep, all []*passage) {
	t.Helper()
	for _, p := range all {
		if err := s.begin(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
}

func mustStage(t *testing.T, s *sweep, i int, all []*passage) {
	t.Helper()
	if err := shared.stage(t.Context(), i, []party{{s, all}}); err != nil {
		t.Fatal(err)
	}
}
