package drain

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// Lease is what the leader of several engines holds.
type Lease struct {
	Namespace, Name         string
	Duration, Renew, Period time.Duration // as the engines have them
}

// hold does something as the leader. It waits as long as an engine is the leader, and says so.
func (l *Lease) hold(ctx context.Context, config *rest.Config, out io.Writer, do func(context.Context) error) error {
	host, err := os.Hostname()
	if err != nil {
		return fmt.Errorf("naming this process: %w", err)
	}
	identity := fmt.Sprintf("drain_%s_%d", host, os.Getpid())
	lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, l.Namespace, l.Name,
		resourcelock.ResourceLockConfig{Identity: identity}, config, l.Renew)
	if err != nil {
		return fmt.Errorf("making the lease: %w", err)
	}
	leading, cancel := context.WithCancel(ctx)
	defer cancel()
	started, result := make(chan struct{}), make(chan error, 1)
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: l.Duration, RenewDeadline: l.Renew, RetryPeriod: l.Period, ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				close(started)
				result <- do(ctx)
				cancel()
			},
			OnStoppedLeading: func() {},
			OnNewLeader: func(leader string) {
				if leader != identity {
					fmt.Fprintf(out, "the engine %s runs: stop it (kubectl scale deployment plait-engine --replicas=0); waiting\n", leader)
				}
			},
		},
	})
	if err != nil {
		return fmt.Errorf("standing for the election: %w", err)
	}
	elector.Run(leading)
	select {
	case <-started:
		return <-result
	default:
		return fmt.Errorf("waiting for the lease of the leader: %w", ctx.Err())
	}
}
