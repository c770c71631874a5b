package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
)

// engine is the process under test. It can be started again and again.
type engine struct {
	program    string
	kubeconfig string
	logPath    string
	flags      []string

	cmd   *exec.Cmd
	ended chan error // gets the one result of cmd
}

// start starts the engine; its log goes on.
func (e *engine) start() error {
	log, err := os.OpenFile(e.logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("opening the engine's log: %w", err)
	}
	defer log.Close()
	e.cmd = exec.Command(e.program, append([]string{
		"controller", "--kubeconfig", e.kubeconfig, "--install-crds", "--allow-acting-as-self", "--allow-crd-deletion",
		"--metrics-bind-address=0", "--health-probe-bind-address=0",
	}, e.flags...)...)
	e.cmd.Stdout, e.cmd.Stderr = log, log
	e.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := e.cmd.Start(); err != nil {
		return fmt.Errorf("starting the engine: %w", err)
	}
	ended := make(chan error, 1)
	e.ended = ended
	go func(cmd *exec.Cmd) { ended <- cmd.Wait() }(e.cmd)
	return nil
}

// kill ends the engine without a warning and waits until it is dead.
func (e *engine) kill() error {
	if e.cmd == nil {
		return nil
	}
	err := e.cmd.Process.Kill()
	<-e.ended //nolint:errcheck // that it was killed is no fault
	e.cmd = nil
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("killing the engine: %w", err)
	}
	return nil
}

// restart kills the engine and starts it again.
func (e *engine) restart() error {
	if err := e.kill(); err != nil {
		return err
	}
	return e.start()
}

// died tells whether the engine has ended by itself.
func (e *engine) died() error {
	if e.cmd == nil {
		return nil
	}
	select {
	case err := <-e.ended:
		e.ended <- err
		return errors.Join(fmt.Errorf("the engine has ended by itself; its log ends:\n%s", e.tail("", 20)), err)
	default:
		return nil
	}
}

// tail gives the last lines of the engine's log that hold a word.
func (e *engine) tail(word string, lines int) string {
	content, err := os.ReadFile(e.logPath)
	if err != nil {
		return err.Error()
	}
	all := slices.DeleteFunc(strings.Split(strings.TrimSpace(string(content)), "\n"), func(line string) bool {
		return !strings.Contains(line, word)
	})
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
