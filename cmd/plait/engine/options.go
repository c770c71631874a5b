// Package engine wires the controllers of plait into one process.
//
// plait controller and plait dev run it, and so do the tests that need a whole engine. Here concrete types
// meet; everything below knows only the interfaces that it declares.
package engine

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/mounts/contract"
)

// Options are the settings of an engine, one for each flag.
type Options struct {
	Kubeconfig            string
	InstallCRDs           bool
	Enable                []string // parts that run
	MetricsAddress        string   // "0": no metrics
	SecureMetrics         bool
	HealthAddress         string // "0": no probes
	PprofAddress          string // "0": no profiles; of the loopback only
	LeaderElect           bool
	LeaderNamespace       string
	ActAsSelf             bool   // without a service account write as the engine, for trying out
	DefaultServiceAccount string // in the instance's namespace, for groups without a map
	WatchNamespaces       []string
	Namespace             string // of the engine itself: its accounts are never lent
	GroupWorkers          int
	InstanceWorkers       int
	ApplyWorkers          int // for one instance
	Resync                time.Duration
	DeletionGrace         time.Duration
	AllowCRDDeletion      bool
	CollectionItems       int
	ExpressionCost        uint64
	Revisions             int
	Tuning
	Workspaces
	LogFormat string    // json, text
	LogLevel  int       // higher says more
	LogOutput io.Writer // nil: stderr; not a flag

	RESTConfig *rest.Config // used instead of Kubeconfig when it is set; not a flag
}

// Defaults are the settings of an engine that nobody has set.
func Defaults() Options {
	return Options{
		Enable: slices.Clone(parts), MetricsAddress: ":8080", HealthAddress: ":8081", PprofAddress: "0", LeaderElect: true, Namespace: "plait-system",
		GroupWorkers: 2, InstanceWorkers: 28, ApplyWorkers: 10, Resync: 10 * time.Hour, DeletionGrace: 10 * time.Minute,
		CollectionItems: 1000, ExpressionCost: 1_000_000, Revisions: 10, LogFormat: "json",
		Tuning: defaultTuning(), Workspaces: Workspaces{WorkspaceAPIs: []string{contract.Plait.String()}, WorkspaceWorkers: 10},
	}
}

// Register makes a flag of every setting.
func (o *Options) Register(f *pflag.FlagSet) {
	f.StringVar(&o.Kubeconfig, "kubeconfig", o.Kubeconfig, "kubeconfig of the cluster; without one KUBECONFIG, the service account of the pod, or ~/.kube/config")
	f.BoolVar(&o.InstallCRDs, "install-crds", o.InstallCRDs, "install or update Plait's own CustomResourceDefinitions and its admission policy at start")
	f.StringSliceVar(&o.Enable, "enable", o.Enable, "parts that run: "+strings.Join(parts, ", "))
	f.StringVar(&o.MetricsAddress, "metrics-bind-address", o.MetricsAddress, "address of /metrics; 0 for none")
	f.BoolVar(&o.SecureMetrics, "metrics-secure", o.SecureMetrics, "serve /metrics by TLS, to those whom the cluster authorises")
	f.StringVar(&o.HealthAddress, "health-probe-bind-address", o.HealthAddress, "address of /healthz and /readyz; 0 for none")
	f.StringVar(&o.PprofAddress, "pprof-bind-address", o.PprofAddress, "address of this machine alone, such as localhost:6060, of profiles of the engine itself; 0 for none")
	f.BoolVar(&o.LeaderElect, "leader-elect", o.LeaderElect, "let one of several engines work, the others stand by")
	f.StringVar(&o.LeaderNamespace, "leader-election-namespace", o.LeaderNamespace, "namespace of the leader's lease; default: the engine's own")
	f.StringVar(&o.Namespace, "namespace", o.Namespace, "the engine's own namespace; its service accounts never act for instances")
	f.StringSliceVar(&o.WatchNamespaces, "watch-namespaces", o.WatchNamespaces, "namespaces whose instances are served and whose children are watched; default: all")
	f.BoolVar(&o.ActAsSelf, "allow-acting-as-self", o.ActAsSelf, "write as the engine itself where a group names no service account; for trying out only")
	f.StringVar(&o.DefaultServiceAccount, "default-service-account", o.DefaultServiceAccount, "service account of the instance's namespace that acts where a group names none")
	f.IntVar(&o.GroupWorkers, "concurrent-groups", o.GroupWorkers, "ResourceGroups worked on at once")
	f.IntVar(&o.InstanceWorkers, "concurrent-instances", o.InstanceWorkers, "instances worked on at once, of all kinds together")
	f.IntVar(&o.ApplyWorkers, "concurrent-applies", o.ApplyWorkers, "writes at once for one instance")
	f.DurationVar(&o.Resync, "resync", o.Resync, "how often everything is looked at with no event")
	f.DurationVar(&o.DeletionGrace, "deletion-grace-period", o.DeletionGrace, "after how long a deletion that gets no further is called stalled")
	f.BoolVar(&o.AllowCRDDeletion, "allow-crd-deletion", o.AllowCRDDeletion, "delete the CRD of a deleted group that asks for it")
	f.IntVar(&o.CollectionItems, "max-collection-items", o.CollectionItems, "items that one forEach may give")
	f.Uint64Var(&o.ExpressionCost, "max-expression-cost", o.ExpressionCost, "cost that one expression may have, in CEL's units")
	f.IntVar(&o.Revisions, "revisions-kept", o.Revisions, "revisions kept of a group")
	o.Tuning.register(f)
	f.StringVar(&o.LogFormat, "log-format", o.LogFormat, "json or text")
	f.IntVar(&o.LogLevel, "log-level", o.LogLevel, "0 tells what matters, higher numbers more")
	o.Workspaces.register(f)
}

// Validate names every setting that cannot be used.
func (o *Options) Validate() error {
	var faults []error
	for _, a := range []struct{ flag, value string }{
		{"--metrics-bind-address", o.MetricsAddress}, {"--health-probe-bind-address", o.HealthAddress},
	} {
		if _, _, err := net.SplitHostPort(a.value); a.value != "0" && err != nil {
			faults = append(faults, fmt.Errorf("%s: %q is no address such as :8080, and not 0", a.flag, a.value))
		}
	}
	if o.PprofAddress != "0" && !isLoopback(o.PprofAddress) {
		faults = append(faults, fmt.Errorf("--pprof-bind-address: %q is no address of this machine alone such as localhost:6060, and not 0", o.PprofAddress))
	}
	for _, n := range []struct {
		flag  string
		value int
	}{
		{"--concurrent-groups", o.GroupWorkers}, {"--concurrent-instances", o.InstanceWorkers},
		{"--concurrent-applies", o.ApplyWorkers}, {"--max-collection-items", o.CollectionItems}, {"--revisions-kept", o.Revisions},
		{"--concurrent-workspaces", o.WorkspaceWorkers},
	} {
		if n.value < 1 {
			faults = append(faults, fmt.Errorf("%s: %d is less than 1", n.flag, n.value))
		}
	}
	faults = append(faults, o.Tuning.faults()...)
	faults = append(faults, o.listFaults()...)
	if o.LogFormat != "json" && o.LogFormat != "text" {
		faults = append(faults, fmt.Errorf("--log-format: %q is neither json nor text", o.LogFormat))
	}
	if o.ExpressionCost == 0 {
		faults = append(faults, errors.New("--max-expression-cost: 0 lets no expression run"))
	}
	return errors.Join(faults...)
}

// listFaults names what cannot be used of settings that are lists.
func (o *Options) listFaults() []error {
	var faults []error
	if len(o.Enable) == 0 {
		faults = append(faults, fmt.Errorf("--enable: nothing would run; there are the parts %s", strings.Join(parts, ", ")))
	}
	for _, part := range o.Enable {
		if !slices.Contains(parts, part) {
			faults = append(faults, fmt.Errorf("--enable: there is no part %q; there are %s", part, strings.Join(parts, ", ")))
		}
	}
	faults = append(faults, o.workspaceFaults()...)
	for _, namespace := range o.WatchNamespaces {
		for _, fault := range validation.IsDNS1123Label(namespace) {
			faults = append(faults, fmt.Errorf("--watch-namespaces: %q is no namespace: %s", namespace, fault))
		}
	}
	return faults
}

// isLoopback tells whether only this machine reaches an address.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}
