// Package dev_test runs plait dev as a person does, with a provider beside it.
package dev_test

import (
	"bufio"
	"context"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/plait-run/plait/test/world"
)

// session is one plait dev.
type session struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines *bufio.Scanner
	said  []string
}

const startTime = 5 * time.Minute // two clusters on a machine that may be busy

func start(t *testing.T, program, dir string, flags ...string) *session {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTime)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program, append([]string{"dev", "--provider", "--dir", dir}, flags...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &session{t: t, cmd: cmd, lines: bufio.NewScanner(out)}
}

// awaits reads on to a line with a text.
func (s *session) awaits(text string) {
	s.t.Helper()
	for s.lines.Scan() {
		s.said = append(s.said, s.lines.Text())
		if strings.Contains(s.lines.Text(), text) {
			return
		}
	}
	s.t.Fatalf("no line has %q:\n%s", text, strings.Join(s.said, "\n"))
}

// ends reads what is left, and wants status 0.
func (s *session) ends() {
	s.t.Helper()
	for s.lines.Scan() {
		s.said = append(s.said, s.lines.Text())
	}
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("it ends with %v:\n%s", err, strings.Join(s.said, "\n"))
	}
}

func (s *session) says(text string) bool { return strings.Contains(strings.Join(s.said, "\n"), text) }

// TestProviderBeside has the example come up by a provider's API, a second start go on with the same two clusters, Ctrl-C stop
// both, and --reset begin anew with both.
func TestProviderBeside(t *testing.T) {
	program, err := world.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	first := start(t, program, dir)
	first.awaits("consumer: created Connection acme")
	first.awaits("Database bookshop")
	first.awaits("WebApp default/bookshop  ACTIVE")
	first.awaits("everything is ready")
	for _, folder := range []string{"cluster", "provider"} {
		if !answers(t, dir, folder) {
			t.Errorf("the API server of %s does not answer", folder)
		}
	}
	if err := first.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	first.ends()
	for _, folder := range []string{"cluster", "provider"} {
		if answers(t, dir, folder) {
			t.Errorf("the API server of %s outlives Ctrl-C", folder)
		}
	}

	second := start(t, program, dir, "--exit-when-ready")
	second.ends()
	for _, text := range []string{"consumer: unchanged Secret", "consumer: unchanged Connection", "provider: unchanged ServiceAccount", "everything is ready"} {
		if !second.says(text) {
			t.Errorf("the second start does not say %q:\n%s", text, strings.Join(second.said, "\n"))
		}
	}

	third := start(t, program, dir, "--exit-when-ready", "--reset")
	third.ends()
	for _, text := range []string{"consumer: created Connection", "provider: created ServiceAccount", "everything is ready"} {
		if !third.says(text) {
			t.Errorf("after --reset it does not say %q:\n%s", text, strings.Join(third.said, "\n"))
		}
	}
}

// TestNothingToFollow has plait dev stay although there is no instance that it could show.
func TestNothingToFollow(t *testing.T) {
	program, err := world.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, program, t.TempDir(), "-f", world.InTree("examples", "webapp", "group.yaml"))
	s.awaits("Ctrl-C stops the cluster")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.lines.Scan()
	}()
	if err := world.Wait(t.Context(), time.Second); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
		t.Errorf("it says more or ends: %s", s.lines.Text())
	default:
	}
	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	<-ended
	s.ends()
}

// answers tells whether somebody listens at the address of a cluster's kubeconfig.
func answers(t *testing.T, dir, folder string) bool {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(dir, folder, "kubeconfig"))
	if err != nil {
		t.Fatal(err)
	}
	server, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.DialTimeout("tcp", server.Host, 5*time.Second)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
