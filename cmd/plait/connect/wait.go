package connect

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/progress"
	"github.com/plait-run/plait/connection/remote"
)

// lasting are the reasons that waiting does not mend.
var lasting = []v1alpha1.Reason{
	v1alpha1.ReasonSecretNamespaceForbidden, v1alpha1.ReasonKubeconfigInvalid, v1alpha1.ReasonKubeconfigUnsafe,
	v1alpha1.ReasonClusterIdentityChanged, v1alpha1.ReasonForbidden,
}

var errTooLong = errors.New("patience has ended")

// wait waits until the Connection is ready, and shows how it gets there. What a new one says is final where waiting does
// not mend it; an older one may still speak of what was there before.
func (s *session) wait(ctx context.Context, kubeconfig []byte, isNew bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, s.Timeout, errTooLong)
	defer cancel()
	var last *v1alpha1.Connection
	for {
		conn, err := s.read(ctx)
		if err == nil {
			last = conn
			s.Progress.Show(Lines(conn))
			ready := meta.FindStatusCondition(conn.Status.Conditions, string(v1alpha1.ConditionReady))
			isCurrent := ready != nil && conn.Status.ObservedGeneration == conn.Generation && ready.ObservedGeneration == conn.Generation
			isUsed := isTakenUp(conn, kubeconfig)
			switch {
			case isCurrent && isUsed && ready.Status == "True" && isSettled(conn):
				s.report(conn)
				return nil
			case isCurrent && (isNew || isUsed) && slices.Contains(lasting, v1alpha1.Reason(ready.Reason)):
				return NotReadyError{fmt.Sprintf("Connection %q is not ready: %s", s.Name, ready.Message)}
			}
		}
		if progress.Pause(ctx) == nil {
			continue
		}
		if errors.Is(context.Cause(ctx), errTooLong) {
			return s.tooLong(last, kubeconfig, err)
		}
		return ctx.Err()
	}
}

// isTakenUp tells whether the status speaks of a connection by this kubeconfig, and not of one by former credentials.
func isTakenUp(conn *v1alpha1.Connection, kubeconfig []byte) bool {
	access, err := remote.Parse(kubeconfig, conn.Spec.InsecureSkipTLSVerify)
	valid := meta.FindStatusCondition(conn.Status.Conditions, string(v1alpha1.ConditionSecretValid))
	return err == nil && valid != nil && valid.Message == access.Usable()
}

// tooLong says what was missing when patience ended: by the Connection as it was last seen, nil when it never was.
func (s *session) tooLong(conn *v1alpha1.Connection, kubeconfig []byte, err error) error {
	if conn == nil {
		return fmt.Errorf("reading Connection %q: %w", s.Name, err)
	}
	ready := meta.FindStatusCondition(conn.Status.Conditions, string(v1alpha1.ConditionReady))
	switch {
	case conn.Status.ObservedGeneration != conn.Generation || ready == nil:
		return NotReadyError{fmt.Sprintf("no engine has looked at Connection %q in %s: see that plait controller runs in this cluster, "+
			"and that connections are among the parts that --enable names", s.Name, s.Timeout)}
	case ready.Status == "True" && !isTakenUp(conn, kubeconfig):
		return NotReadyError{fmt.Sprintf("the engine has not taken up the changed Secret of Connection %q in %s: see that it runs", s.Name, s.Timeout)}
	case ready.Status == "True":
		s.report(conn) // what is bound is being installed
		return nil
	}
	return NotReadyError{fmt.Sprintf("Connection %q is not ready after %s: %s", s.Name, s.Timeout, ready.Message)}
}

// isSettled tells whether what is bound as a whole has been installed, or never will.
func isSettled(conn *v1alpha1.Connection) bool {
	pull := conn.Spec.Schema.PullPolicy
	isWanted := pull == v1alpha1.PullPolicyAll || pull == v1alpha1.PullPolicyBound && conn.Spec.AutoBind
	return !isWanted || !slices.ContainsFunc(conn.Status.ExportedAPIs, func(api v1alpha1.ExportedAPI) bool {
		return api.State == v1alpha1.ExportedAPIAvailable
	})
}

func (s *session) read(ctx context.Context) (*v1alpha1.Connection, error) {
	u, err := s.consumer.get(ctx, "Connection", "", s.Name)
	if err != nil {
		return nil, err
	}
	if u == nil {
		return nil, Problem("somebody has deleted it")
	}
	conn := &v1alpha1.Connection{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, conn); err != nil {
		return nil, fmt.Errorf("decoding Connection %q: %w", s.Name, err)
	}
	return conn, nil
}

func (s *session) report(conn *v1alpha1.Connection) {
	status := conn.Status
	s.result.Provider = Provider{
		Host: status.ProviderHost, Version: status.ProviderVersion,
		ClusterUID: string(status.RemoteClusterUID), Source: status.ActiveSchemaSource,
	}
	s.result.AutoBind, s.result.PullPolicy = conn.Spec.AutoBind, conn.Spec.Schema.PullPolicy
	s.result.ExportedAPIs = append([]v1alpha1.ExportedAPI{}, status.ExportedAPIs...)
}

// Lines draws a Connection on its way: a line for it, and one for each of its conditions that says anything.
func Lines(conn *v1alpha1.Connection) []progress.Line {
	subject := "Connection " + conn.Name
	if len(conn.Status.Conditions) == 0 {
		return []progress.Line{{Subject: subject, Text: subject + "  not looked at yet"}}
	}
	state := "not ready"
	if meta.IsStatusConditionTrue(conn.Status.Conditions, string(v1alpha1.ConditionReady)) {
		state = "ready"
	}
	lines := []progress.Line{{Subject: subject, Text: subject + "  " + state}}
	for _, c := range conn.Status.Conditions {
		if c.Type == string(v1alpha1.ConditionReady) || c.Status == "Unknown" {
			continue
		}
		lines = append(lines, progress.Line{Subject: subject + "/" + c.Type, Text: fmt.Sprintf("├─ %-16s %-5s %s", c.Type, c.Status, c.Message)})
	}
	last := &lines[len(lines)-1]
	if len(lines) > 1 {
		last.Text = "└─" + last.Text[len("├─"):]
	}
	return lines
}
