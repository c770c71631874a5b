package sync

import (
	"context"
	"reflect"
	"sync"
)

// Supervisor runs one syncer for each task. Safe for concurrent use; but the calls of Set for one binding come one after the other.
type Supervisor struct {
	cfg Config

	mu      sync.Mutex
	ctx     context.Context // of Start; nil: not started
	running map[Key]*running
}

// running is a syncer that was started.
type running struct {
	syncer *syncer
	cancel context.CancelFunc
	ended  chan struct{}
}

// NewSupervisor gives one without tasks.
func NewSupervisor(cfg Config) *Supervisor {
	return &Supervisor{cfg: cfg.withDefaults(), running: map[Key]*running{}}
}

// Start lets tasks run until ctx ends, and joins them.
func (s *Supervisor) Start(ctx context.Context) error {
	s.mu.Lock()
	s.ctx = ctx
	s.mu.Unlock()
	<-ctx.Done()
	s.mu.Lock()
	s.ctx = nil
	all := s.running
	s.running = map[Key]*running{}
	s.mu.Unlock()
	for _, r := range all {
		r.stop()
	}
	return nil
}

// Set makes these the tasks of a binding, over one way to their provider, and ends all others that it had. A task that needs
// a way waits for one.
func (s *Supervisor) Set(binding Binding, tasks []Task, remote Remote) {
	wanted := map[Key]bool{}
	for _, task := range tasks {
		wanted[task.Key] = true
	}
	for _, key := range s.keys(binding) {
		if !wanted[key] {
			s.stop(key)
		}
	}
	for _, task := range tasks {
		s.ensure(task, remote)
	}
}

// ensure sees that a task runs as it is now.
func (s *Supervisor) ensure(task Task, remote Remote) {
	if task.Mode != Releasing && !remote.IsUsable() {
		s.stop(task.Key)
		return
	}
	s.mu.Lock()
	had := s.running[task.Key]
	s.mu.Unlock()
	if had != nil && had.does(task, remote) {
		return
	}
	s.stop(task.Key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx == nil {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	r := &running{syncer: newSyncer(task, remote, s.cfg), cancel: cancel, ended: make(chan struct{})}
	s.running[task.Key] = r
	go func() {
		defer close(r.ended)
		defer cancel()
		r.syncer.run(ctx)
	}()
}

// does tells whether a syncer that runs is the one that is wanted.
func (r *running) does(task Task, remote Remote) bool {
	select {
	case <-r.ended:
		return false
	default:
	}
	have := r.syncer
	return reflect.DeepEqual(have.task, task) &&
		(task.Mode == Releasing || (have.remote.Hash == remote.Hash && have.remote.UID == remote.UID && have.remote.Done == remote.Done))
}

func (r *running) stop() {
	r.cancel()
	<-r.ended
}

// stop ends a task, and returns when nothing of it runs any more.
func (s *Supervisor) stop(key Key) {
	s.mu.Lock()
	r := s.running[key]
	delete(s.running, key)
	isLast := r != nil && !s.servesLocked(r.syncer.task)
	s.mu.Unlock()
	if r == nil {
		return
	}
	r.stop()
	s.cfg.Metrics.forget(r.syncer.task, isLast)
}

// servesLocked tells whether another task has the API of one, through its Connection.
func (s *Supervisor) servesLocked(task Task) bool {
	for _, r := range s.running {
		if r.syncer.task.API == task.API && r.syncer.task.Connection == task.Connection {
			return true
		}
	}
	return false
}

// keys gives the tasks of a binding that run.
func (s *Supervisor) keys(binding Binding) []Key {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Key
	for key := range s.running {
		if key.Binding == binding {
			out = append(out, key)
		}
	}
	return out
}

// Report tells how a task stands; ok is false while it does not run.
func (s *Supervisor) Report(key Key) (report Report, ok bool) {
	s.mu.Lock()
	r := s.running[key]
	s.mu.Unlock()
	if r == nil {
		return Report{}, false
	}
	report = r.syncer.report()
	s.cfg.Metrics.count(r.syncer.task, report)
	return report, true
}
