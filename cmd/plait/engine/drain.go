package engine

import (
	"context"
	"fmt"
	"io"

	"github.com/plait-run/plait/cmd/plait/drain"
)

// leaseName is that of the leader's lease.
const leaseName = "plait-engine"

// Drain takes Plait's finalizers off everything in the cluster instead of running an engine, and tells on out what it does.
// With leader election it waits until no engine runs.
func Drain(ctx context.Context, o Options, out io.Writer) error {
	config, err := restConfig(o)
	if err != nil {
		return err
	}
	options := drain.Options{REST: config, SecretsNamespace: o.SecretsNamespace, Out: out}
	if o.LeaderElect {
		options.Lease = &drain.Lease{
			Namespace: o.leaseNamespace(), Name: leaseName, Duration: o.LeaseDuration, Renew: o.RenewDeadline, Period: o.LeaseRetry,
		}
	}
	if err := drain.Run(ctx, options); err != nil {
		return fmt.Errorf("draining: %w", err)
	}
	return nil
}
