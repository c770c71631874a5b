package engine

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"
)

func TestTuningFaults(t *testing.T) {
	tests := map[string]struct {
		set  func(*Tuning)
		want []string
	}{
		"defaults": {func(*Tuning) {}, nil},
		"smallest": {func(o *Tuning) {
			o.LeaseDuration, o.RenewDeadline, o.LeaseRetry, o.RetryMaxDelay, o.ClientBurst, o.Children, o.ObjectBytes = 4, 3, 2, o.RetryDelay, 1, 1, 1
		}, nil},
		"no times": {
			func(o *Tuning) { o.LeaseDuration, o.RetryDelay, o.ConnectionResync = 0, -time.Second, 0 },
			[]string{
				"--leader-election-lease-duration: 0s is no time to wait; it has to be more than 0",
				"--retry-delay: -1s is no time to wait; it has to be more than 0",
				"--connection-resync: 0s is no time to wait; it has to be more than 0",
			},
		},
		"leases that cannot be kept": {
			func(o *Tuning) {
				o.LeaseDuration, o.RenewDeadline, o.LeaseRetry = 10*time.Second, 10*time.Second, 9*time.Second
			},
			[]string{
				"--leader-election-lease-duration: 10s is not longer than --leader-election-renew-deadline, 10s",
				"--leader-election-renew-deadline: 10s is not longer than 1.2 times --leader-election-retry-period, 10.8s",
			},
		},
		"traces": {func(o *Tuning) { o.TracesEndpoint = "https://traces.example.com" }, nil},
		"traces to nowhere": {
			func(o *Tuning) { o.TracesEndpoint = "localhost:4317" },
			[]string{`--traces-endpoint: "localhost:4317" is no URL such as http://localhost:4317`},
		},
		"delays the wrong way round": {
			func(o *Tuning) { o.RetryDelay, o.RetryMaxDelay = time.Minute, time.Second },
			[]string{"--retry-max-delay: 1s is shorter than --retry-delay, 1m0s"},
		},
		"bounds": {
			func(o *Tuning) {
				o.ClientBurst, o.ObjectBytes, o.Children, o.ClientQPS, o.SecretsNamespace = 0, 0, -1, -2, ""
			},
			[]string{
				"--client-burst: 0 is less than 1", "--max-object-bytes: 0 is less than 1", "--max-children: -1 is less than 1",
				"--client-qps: -2 is less than 0, which stands for no limit", `--secrets-namespace: "" is no namespace: ` + label,
			},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tuning := defaultTuning()
			tt.set(&tuning)
			var got []string
			if err := errors.Join(tuning.faults()...); err != nil {
				got = strings.Split(err.Error(), "\n")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSecretsNamespaceByDefault(t *testing.T) {
	for ofPod, want := range map[string]string{"": "plait-system", "team": "team"} {
		t.Setenv(namespaceEnv, ofPod)
		if got := Defaults().SecretsNamespace; got != want {
			t.Errorf("in a pod of namespace %q it is %q, want %q", ofPod, got, want)
		}
	}
}

// TestClientLimit has all clients share one limit, but for the lease's.
func TestClientLimit(t *testing.T) {
	options := Defaults()
	options.RESTConfig = &rest.Config{Host: "https://example.com"}
	free, err := restConfig(options)
	if err != nil || free.RateLimiter != nil || free.QPS != -1 {
		t.Errorf("without a limit: %v, %v, error %v", free.QPS, free.RateLimiter, err)
	}
	options.ClientQPS, options.ClientBurst = 5, 2
	limited, err := restConfig(options)
	if err != nil || limited.RateLimiter == nil || limited.RateLimiter.QPS() != 5 {
		t.Fatalf("with a limit: %v, error %v", limited.RateLimiter, err)
	}
	if rest.CopyConfig(limited).RateLimiter != limited.RateLimiter {
		t.Error("a copy has a limit of its own")
	}
	if e := (&Engine{config: limited}); e.leaseConfig().RateLimiter != nil {
		t.Error("the lease waits for other requests")
	}
}
