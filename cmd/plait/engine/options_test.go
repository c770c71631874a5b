package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
)

// label is how a name that is no label of DNS is explained.
const label = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
	"alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

func TestValidate(t *testing.T) {
	tests := map[string]struct {
		set  func(*Options)
		want []string // the whole of each fault, in the order of the flags
	}{
		"defaults":       {func(*Options) {}, nil},
		"no servers":     {func(o *Options) { o.MetricsAddress, o.HealthAddress = "0", "0" }, nil},
		"text":           {func(o *Options) { o.LogFormat = "text" }, nil},
		"smallest":       {func(o *Options) { o.GroupWorkers, o.Revisions, o.ExpressionCost = 1, 1, 1 }, nil},
		"address":        {func(o *Options) { o.HealthAddress = "8081" }, []string{`--health-probe-bind-address: "8081" is no address such as :8080, and not 0`}},
		"no address":     {func(o *Options) { o.MetricsAddress = "" }, []string{`--metrics-bind-address: "" is no address such as :8080, and not 0`}},
		"profiles":       {func(o *Options) { o.PprofAddress = "127.0.0.1:0" }, nil},
		"public profile": {func(o *Options) { o.PprofAddress = ":6060" }, []string{`--pprof-bind-address: ":6060" is no address of this machine alone such as localhost:6060, and not 0`}},
		"no workers":     {func(o *Options) { o.InstanceWorkers = 0 }, []string{"--concurrent-instances: 0 is less than 1"}},
		"no such part":   {func(o *Options) { o.Enable = []string{"instances", "kettle"} }, []string{`--enable: there is no part "kettle"; there are instances, connections, mounts`}},
		"no namespace":   {func(o *Options) { o.WatchNamespaces = []string{"a", "B"} }, []string{`--watch-namespaces: "B" is no namespace: ` + label}},
		"no workspace API": {
			func(o *Options) { o.WorkspaceAPIs = nil },
			[]string{"--workspace-api: no API is named; leave mounts out of --enable to serve none"},
		},
		"another workspace API": {
			func(o *Options) { o.WorkspaceAPIs = []string{"tenancy.kcp.io/v1alpha1", "v1"} },
			[]string{`--workspace-api: "v1" is no API of Workspaces; there are plait.run/v1alpha1 and tenancy.kcp.io/v1alpha1`},
		},
		"no host": {
			func(o *Options) { o.WorkspaceHosts = []string{"*.example.com", "https://a"} },
			[]string{`--workspace-allowed-hosts: "https://a" is no host: write a name without scheme and port, or *.domain for all below it`},
		},
		"log format":     {func(o *Options) { o.LogFormat = "xml" }, []string{`--log-format: "xml" is neither json nor text`}},
		"no cost at all": {func(o *Options) { o.ExpressionCost = 0 }, []string{"--max-expression-cost: 0 lets no expression run"}},
		"all at once": {
			func(o *Options) {
				*o = Options{MetricsAddress: "metrics", HealthAddress: "health", PprofAddress: "0", ApplyWorkers: -3, Tuning: defaultTuning()}
				o.SecretsNamespace, o.ClientQPS = "B", -1
			},
			[]string{
				`--metrics-bind-address: "metrics" is no address such as :8080, and not 0`,
				`--health-probe-bind-address: "health" is no address such as :8080, and not 0`,
				"--concurrent-groups: 0 is less than 1",
				"--concurrent-instances: 0 is less than 1",
				"--concurrent-applies: -3 is less than 1",
				"--max-collection-items: 0 is less than 1",
				"--revisions-kept: 0 is less than 1",
				"--concurrent-workspaces: 0 is less than 1",
				"--client-qps: -1 is less than 0, which stands for no limit",
				`--secrets-namespace: "B" is no namespace: ` + label,
				"--enable: nothing would run; there are the parts instances, connections, mounts",
				`--log-format: "" is neither json nor text`,
				"--max-expression-cost: 0 lets no expression run",
			},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			options := Defaults()
			tt.set(&options)
			var got []string
			if err := options.Validate(); err != nil {
				got = strings.Split(err.Error(), "\n")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRegister has no flag change a setting that nobody sets, and every flag say what it is for.
func TestRegister(t *testing.T) {
	options := Defaults()
	flags := pflag.NewFlagSet("engine", pflag.ContinueOnError)
	options.Register(flags)
	if err := flags.Parse(nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Defaults(), options); diff != "" {
		t.Errorf("settings after no flags (-want +got):\n%s", diff)
	}
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Usage == "" {
			t.Errorf("--%s does not say what it is for", f.Name)
		}
	})
	if err := flags.Parse([]string{"--leader-elect=false", "--concurrent-applies=3", "--resync=1h30m", "--max-expression-cost=7"}); err != nil {
		t.Fatal(err)
	}
	want := Defaults()
	want.LeaderElect, want.ApplyWorkers, want.Resync, want.ExpressionCost = false, 3, 90*time.Minute, 7
	if diff := cmp.Diff(want, options); diff != "" {
		t.Errorf("settings after flags (-want +got):\n%s", diff)
	}
}
