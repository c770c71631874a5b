package world

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Process is an engine that is a process of its own. It can be started again and again.
type Process struct {
	Program    string
	Kubeconfig string
	LogPath    string
	Flags      []string

	cmd   *exec.Cmd
	ended chan error // gets the one result of cmd
}

// Build builds the program into a folder and gives its path.
func Build(dir string) (string, error) {
	program := filepath.Join(dir, "plait")
	build := exec.Command("go", "build", "-o", program, "./cmd/plait")
	build.Dir = InTree()
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the program: %w\n%s", err, out)
	}
	return program, nil
}

// NewProcess gives an engine that is not started yet: it may do everything, acts as itself, stands for no election, and
// serves no metrics, unless flags say otherwise. It is killed with the world.
func (w *World) NewProcess(program string, flags ...string) (*Process, error) {
	kubeconfig, err := w.WriteKubeconfig(EngineUser, "system:masters")
	if err != nil {
		return nil, fmt.Errorf("making the engine's kubeconfig: %w", err)
	}
	p := &Process{
		Program: program, Kubeconfig: kubeconfig, LogPath: filepath.Join(filepath.Dir(w.KubeconfigPath()), "engine.log"), Flags: flags,
	}
	w.BeforeStop(p.Kill)
	return p, nil
}

// Start starts the engine; its log goes on.
func (p *Process) Start() error {
	log, err := os.OpenFile(p.LogPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("opening the engine's log: %w", err)
	}
	defer func() { _ = log.Close() }()
	cmd := exec.Command(p.Program, append([]string{
		"controller", "--kubeconfig", p.Kubeconfig, "--install-crds", "--allow-acting-as-self", "--allow-crd-deletion",
		"--leader-elect=false", "--metrics-bind-address=0", "--health-probe-bind-address=0",
	}, p.Flags...)...)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = log, log, endWithUs()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the engine: %w", err)
	}
	ended := make(chan error, 1)
	p.cmd, p.ended = cmd, ended
	go func() { ended <- cmd.Wait() }()
	return nil
}

// Kill ends the engine without a warning and waits until it is dead.
func (p *Process) Kill() error {
	if p.cmd == nil {
		return nil
	}
	err := p.cmd.Process.Kill()
	<-p.ended //nolint:errcheck // that it was killed is no fault
	p.cmd = nil
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("killing the engine: %w", err)
	}
	return nil
}

// Stop asks the engine to end, and tells whether it did so well.
func (p *Process) Stop() error {
	if p.cmd == nil {
		return nil
	}
	if err := p.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stopping the engine: %w", err)
	}
	err := <-p.ended
	p.cmd = nil
	if err != nil {
		return fmt.Errorf("stopping the engine: %w", err)
	}
	return nil
}

// Restart kills the engine and starts it again.
func (p *Process) Restart() error {
	if err := p.Kill(); err != nil {
		return err
	}
	return p.Start()
}

// Signal sends a signal to the engine.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// PID is the id of the process that runs.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Died tells whether the engine has ended by itself, and how its log ends.
func (p *Process) Died() error {
	if p.cmd == nil {
		return nil
	}
	select {
	case err := <-p.ended:
		p.ended <- err
		return errors.Join(fmt.Errorf("the engine has ended by itself; its log ends:\n%s", p.Tail("", 20)), err)
	default:
		return nil
	}
}

// Tail gives the last lines of the engine's log that hold a word.
func (p *Process) Tail(word string, lines int) string {
	content, err := os.ReadFile(p.LogPath)
	if err != nil {
		return err.Error()
	}
	all := slices.DeleteFunc(strings.Split(strings.TrimSpace(string(content)), "\n"), func(line string) bool {
		return !strings.Contains(line, word)
	})
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
