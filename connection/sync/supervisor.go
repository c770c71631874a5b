package sync

import (
	"context"
	"reflect"
	"sync"
)

// Supervisor runs one syncer for each task. Safe for concurrent use; but the calls of Set for one binding come one after the other.
type Supervisor struct {
	cfg Config

	started chan struct{}

	mu      sync.Mutex
	ctx     context.Context // of Start; nil: ended
	running map[Key]*running
}

// worker does one task over one way.
type worker interface {
	run(ctx context.Context)
	report() Report
	about() (Task, Remote)
}

func newWorker(task Task, remote Remote, cfg Config) worker {
	if task.Related != nil {
		return newCompanion(task, remote, cfg)
	}
	return newSyncer(task, remote, cfg)
}

// running is a worker that was started.
type running struct {
	worker worker
	cancel context.CancelFunc
	ended  chan struct{}
}

// NewSupervisor gives one without tasks.
func NewSupervisor(cfg Config) *Supervisor {
	return &Supervisor{cfg: cfg.withDefaults(), started: make(chan struct{}), running: map[Key]*running{}}
}

// Start lets tasks run until ctx ends, and joins them.
func (s *Supervisor) Start(ctx context.Context) error {
	s.mu.Lock()
	s.ctx = ctx
	s.mu.Unlock()
	close(s.started)
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
// a way waits for one. Before Start it waits.
func (s *Supervisor) Set(binding Binding, tasks []Task, remote Remote) {
	<-s.started
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
	s.tellSpaces(binding)
}

// tellSpaces tells what travels with the objects of a binding in which namespaces these are. While not all of them are
// known, no namespace is taken for one without.
func (s *Supervisor) tellSpaces(binding Binding) {
	s.mu.Lock()
	var syncers []*syncer
	var companions []*companion
	for key, r := range s.running {
		if key.Binding != binding {
			continue
		}
		switch w := r.worker.(type) {
		case *syncer:
			syncers = append(syncers, w)
		case *companion:
			companions = append(companions, w)
		}
	}
	s.mu.Unlock()
	inUse := map[string]bool{}
	for _, w := range syncers {
		if complete, _ := w.isComplete(); !complete {
			return
		}
		w.spaces(inUse)
	}
	for _, c := range companions {
		c.use(inUse)
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
	r := &running{worker: newWorker(task, remote, s.cfg), cancel: cancel, ended: make(chan struct{})}
	s.running[task.Key] = r
	go func() {
		defer close(r.ended)
		defer cancel()
		r.worker.run(ctx)
	}()
}

// does tells whether a syncer that runs is the one that is wanted.
func (r *running) does(task Task, remote Remote) bool {
	select {
	case <-r.ended:
		return false
	default:
	}
	had, over := r.worker.about()
	return reflect.DeepEqual(had, task) &&
		(task.Mode == Releasing || (over.Hash == remote.Hash && over.UID == remote.UID && over.Done == remote.Done))
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
	s.mu.Unlock()
	if r == nil {
		return
	}
	r.stop()
	task, _ := r.worker.about()
	s.cfg.Metrics.forget(task, !s.serves(task))
}

// serves tells whether another task has the API of one, through its Connection.
func (s *Supervisor) serves(task Task) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.running {
		if other, _ := r.worker.about(); other.API == task.API && other.Connection == task.Connection {
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
	report = r.worker.report()
	task, _ := r.worker.about()
	s.cfg.Metrics.count(task, report)
	return report, true
}
