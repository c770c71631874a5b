package engine

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/validation"
)

// Tuning is the settings of an engine that few need: times, and bounds.
type Tuning struct {
	LeaseDuration    time.Duration // after how long without a renewal the lease is free
	RenewDeadline    time.Duration // after how long without a renewal the leader gives up
	LeaseRetry       time.Duration // between attempts to get or renew the lease
	RetryDelay       time.Duration // after the first error in a row; doubled after each
	RetryMaxDelay    time.Duration
	FailedRetryDelay time.Duration // of what somebody has to change
	ClientQPS        float32       // requests a second, of all clients together; 0: unlimited
	ClientBurst      int           // requests at once beyond ClientQPS
	ObjectBytes      int           // of one rendered object
	Children         int           // objects of one instance
	SecretsNamespace string        // where the Secrets that Connections name are
	TracesEndpoint   string        // URL of what takes OTLP by gRPC; empty: no traces
	ConnectionResync time.Duration // how often providers are asked what they have
}

// namespaceEnv names the environment variable by which a pod tells the engine's namespace.
const namespaceEnv = "POD_NAMESPACE"

func defaultTuning() Tuning {
	return Tuning{
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, LeaseRetry: 2 * time.Second,
		RetryDelay: 100 * time.Millisecond, RetryMaxDelay: 5 * time.Minute, FailedRetryDelay: 10 * time.Minute,
		ClientBurst: 100, ObjectBytes: 1 << 20, Children: 10_000,
		SecretsNamespace: defaultSecretsNamespace(os.Getenv(namespaceEnv)), ConnectionResync: 30 * time.Second,
	}
}

func defaultSecretsNamespace(ofPod string) string {
	if ofPod != "" {
		return ofPod
	}
	return "plait-system"
}

func (o *Tuning) register(f *pflag.FlagSet) {
	f.DurationVar(&o.LeaseDuration, "leader-election-lease-duration", o.LeaseDuration, "after how long without a renewal another engine may take the lease")
	f.DurationVar(&o.RenewDeadline, "leader-election-renew-deadline", o.RenewDeadline, "after how long without a renewal the leader stops")
	f.DurationVar(&o.LeaseRetry, "leader-election-retry-period", o.LeaseRetry, "time between attempts to get or renew the lease")
	f.DurationVar(&o.RetryDelay, "retry-delay", o.RetryDelay, "delay after an error of the API server or the network; it doubles with each in a row")
	f.DurationVar(&o.RetryMaxDelay, "retry-max-delay", o.RetryMaxDelay, "longest delay after errors in a row")
	f.DurationVar(&o.FailedRetryDelay, "failed-retry-delay", o.FailedRetryDelay, "how often a failed instance is tried again that somebody has to change")
	f.Float32Var(&o.ClientQPS, "client-qps", o.ClientQPS, "requests a second to the API server, of the whole engine; 0 for no limit: its Priority and Fairness guards the server")
	f.IntVar(&o.ClientBurst, "client-burst", o.ClientBurst, "requests that may come at once beyond --client-qps")
	f.IntVar(&o.ObjectBytes, "max-object-bytes", o.ObjectBytes, "size of one rendered object")
	f.IntVar(&o.Children, "max-children", o.Children, "objects that one instance may have")
	f.StringVar(&o.SecretsNamespace, "secrets-namespace", o.SecretsNamespace, "namespace of the Secrets that Connections name; default: POD_NAMESPACE, else plait-system")
	f.StringVar(&o.TracesEndpoint, "traces-endpoint", o.TracesEndpoint, "URL of what takes OpenTelemetry traces by OTLP over gRPC, such as http://localhost:4317; without one there are none")
	f.DurationVar(&o.ConnectionResync, "connection-resync", o.ConnectionResync, "how often providers are asked which APIs they have")
}

// faults names what cannot be used, in the order of the flags.
func (o *Tuning) faults() []error {
	var faults []error
	for _, d := range []struct {
		flag  string
		value time.Duration
	}{
		{"--leader-election-lease-duration", o.LeaseDuration}, {"--leader-election-renew-deadline", o.RenewDeadline},
		{"--leader-election-retry-period", o.LeaseRetry}, {"--retry-delay", o.RetryDelay}, {"--retry-max-delay", o.RetryMaxDelay},
		{"--failed-retry-delay", o.FailedRetryDelay}, {"--connection-resync", o.ConnectionResync},
	} {
		if d.value <= 0 {
			faults = append(faults, fmt.Errorf("%s: %s is no time to wait; it has to be more than 0", d.flag, d.value))
		}
	}
	faults = append(faults, o.orderFaults()...)
	for _, n := range []struct {
		flag  string
		value int
	}{{"--client-burst", o.ClientBurst}, {"--max-object-bytes", o.ObjectBytes}, {"--max-children", o.Children}} {
		if n.value < 1 {
			faults = append(faults, fmt.Errorf("%s: %d is less than 1", n.flag, n.value))
		}
	}
	if o.ClientQPS < 0 {
		faults = append(faults, fmt.Errorf("--client-qps: %g is less than 0, which stands for no limit", o.ClientQPS))
	}
	for _, fault := range validation.IsDNS1123Label(o.SecretsNamespace) {
		faults = append(faults, fmt.Errorf("--secrets-namespace: %q is no namespace: %s", o.SecretsNamespace, fault))
	}
	return append(faults, o.traceFaults()...)
}

// orderFaults names times that have to be longer than others.
func (o *Tuning) orderFaults() []error {
	var faults []error
	for _, pair := range []struct {
		longer, shorter string
		long, short     time.Duration
	}{
		{"--leader-election-lease-duration", "--leader-election-renew-deadline", o.LeaseDuration, o.RenewDeadline},
		{"--leader-election-renew-deadline", "1.2 times --leader-election-retry-period", o.RenewDeadline, o.LeaseRetry * 6 / 5},
	} {
		if pair.long > 0 && pair.long <= pair.short {
			faults = append(faults, fmt.Errorf("%s: %s is not longer than %s, %s", pair.longer, pair.long, pair.shorter, pair.short))
		}
	}
	if o.RetryDelay > 0 && o.RetryMaxDelay > 0 && o.RetryMaxDelay < o.RetryDelay {
		faults = append(faults, fmt.Errorf("--retry-max-delay: %s is shorter than --retry-delay, %s", o.RetryMaxDelay, o.RetryDelay))
	}
	return faults
}
