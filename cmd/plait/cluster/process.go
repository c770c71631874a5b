package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	probePeriod = 50 * time.Millisecond
	// probeTimeout bounds one probe, so that a stopped process is noticed.
	probeTimeout = 5 * time.Second
	// tailLines and tailBytes bound how much of a log an error shows.
	tailLines = 15
	tailBytes = 16 << 10
)

// command is one program of a cluster, before it is started.
type command struct {
	name string
	path string
	args []string
	env  []string
	// log is the file that its output is added to; also gets it too, if not nil.
	log  string
	also io.Writer
	// grace is how long the process may take to stop; 0 kills it at once.
	grace time.Duration
	// exited is called when the process ends without having been told to.
	exited func(error)
}

// process is a program that was started. Its goroutine ends with it.
type process struct {
	command
	cmd *exec.Cmd
	// begun is when the process was started.
	begun time.Time
	// done is closed when the process is gone; err says how it ended.
	done chan struct{}
	err  error
	// stopping is set before the process is told to end.
	stopping atomic.Bool
}

// start runs the program. The goroutine that waits for the process is the one
// that starts it, on a thread of its own: the kernel ends the process when that
// thread ends, see processAttributes.
func (c command) start() (*process, error) {
	log, err := os.OpenFile(c.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", c.name, err)
	}
	cmd := exec.Command(c.path, c.args...)
	cmd.Env = append(os.Environ(), c.env...)
	cmd.SysProcAttr = processAttributes()
	cmd.Stdout = log
	if c.also != nil {
		cmd.Stdout = io.MultiWriter(log, c.also)
	}
	cmd.Stderr = cmd.Stdout

	p := &process{command: c, cmd: cmd, begun: time.Now(), done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer func() { _ = log.Close() }()
		p.run(started)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting %s: %w", c.name, err)
	}
	return p, nil
}

func (p *process) run(started chan<- error) {
	defer close(p.done)
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.err = p.cmd.Wait()
	if !p.stopping.Load() && p.exited != nil {
		p.exited(p.ended())
	}
}

// ended describes the end of a process that should not have ended.
func (p *process) ended() error {
	state := "ended"
	if p.err != nil {
		state = p.err.Error()
	}
	return fmt.Errorf("%s: %s\n%s", p.name, state, tail(p.log))
}

// stop ends the process and returns when it is gone.
func (p *process) stop() {
	p.stopping.Store(true)
	if p.grace > 0 {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.done:
			return
		case <-time.After(p.grace):
		}
	}
	_ = p.cmd.Process.Kill()
	<-p.done
}

// waitFor returns when the probe succeeds, with an error when the process ends
// first or the context does.
func (p *process) waitFor(ctx context.Context, probe func(context.Context) error) error {
	ticker := time.NewTicker(probePeriod)
	defer ticker.Stop()
	for {
		probeCtx, cancel := context.WithTimeout(ctx, probeTimeout)
		err := probe(probeCtx)
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("starting %w", p.ended())
		case <-ctx.Done():
			return fmt.Errorf("starting %s: %w\n%s", p.name, errors.Join(context.Cause(ctx), err), tail(p.log))
		case <-ticker.C:
		}
	}
}

// tail returns the last lines of a log file, for an error to show.
func tail(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err == nil && info.Size() > tailBytes {
		if _, err := file.Seek(-tailBytes, io.SeekEnd); err != nil {
			return err.Error()
		}
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) > tailLines {
		lines = lines[len(lines)-tailLines:]
	}
	return fmt.Sprintf("the end of %s:\n%s", path, strings.Join(lines, "\n"))
}
