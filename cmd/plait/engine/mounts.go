package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/plait-run/plait/dynamiccontroller"
	"github.com/plait-run/plait/dynamiccontroller/discovery"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/mounts"
	"github.com/plait-run/plait/mounts/contract"
)

// Workspaces is the settings of the controller of Workspaces.
type Workspaces struct {
	WorkspaceAPIs    []string // group/version each
	WorkspaceHTTP    bool     // let Workspaces have URLs by plain http
	WorkspaceHosts   []string // that the URLs of Workspaces may have; empty: any
	WorkspaceWorkers int
}

func (o *Workspaces) register(f *pflag.FlagSet) {
	f.StringSliceVar(&o.WorkspaceAPIs, "workspace-api", o.WorkspaceAPIs, "APIs whose Workspaces are kept true to their mounts, as group/version: "+
		contract.Plait.String()+", "+contract.KCP.String())
	f.BoolVar(&o.WorkspaceHTTP, "workspace-allow-http", o.WorkspaceHTTP, "let Workspaces have URLs by plain http")
	f.StringSliceVar(&o.WorkspaceHosts, "workspace-allowed-hosts", o.WorkspaceHosts,
		"hosts that URLs of Workspaces may have, *.domain for all below a domain; default: any")
	f.IntVar(&o.WorkspaceWorkers, "concurrent-workspaces", o.WorkspaceWorkers, "Workspaces worked on at once")
}

// workspaceFaults names what cannot be used of the settings of Workspaces.
func (o *Options) workspaceFaults() []error {
	var faults []error
	if o.runs(partMounts) && len(o.WorkspaceAPIs) == 0 {
		faults = append(faults, fmt.Errorf("--workspace-api: no API is named; leave %s out of --enable to serve none", partMounts))
	}
	for _, text := range o.WorkspaceAPIs {
		if _, err := contract.ParseAPI(text); err != nil {
			faults = append(faults, fmt.Errorf("--workspace-api: %w", err))
		}
	}
	for _, err := range (mounts.URLPolicy{Hosts: o.WorkspaceHosts}).Faults() {
		faults = append(faults, fmt.Errorf("--workspace-allowed-hosts: %w", err))
	}
	return faults
}

// addMounts adds the controller of Workspaces, which reads the instances of graphs from the copies that kinds keeps.
func (e *Engine) addMounts(acting *identity.Clients, known *discovery.Discovery, kinds *dynamiccontroller.Controller, hub *graph.Hub) error {
	config, err := e.mountsConfig(acting)
	if err != nil {
		return err
	}
	config.Kinds, config.IsNamespaced, config.Instances = known, known.IsNamespaced, kinds
	c, err := mounts.NewController(config)
	if err != nil {
		return fmt.Errorf("making the controller of Workspaces: %w", err)
	}
	known.OnChange(c.KindChanged)
	kinds.OnRunning(c.KindChanged)
	kinds.OnInstance(c.InstanceChanged)
	run := manager.RunnableFunc(func(ctx context.Context) error {
		hub.Subscribe(ctx, c)
		return c.Start(ctx, e.options.WorkspaceWorkers)
	})
	if err := e.manager.Add(run); err != nil {
		return fmt.Errorf("adding the controller of Workspaces: %w", err)
	}
	return nil
}

func (e *Engine) mountsConfig(acting *identity.Clients) (mounts.Config, error) {
	rights, err := identity.NewRights(acting)
	self, missing := acting.For(identity.Identity{Self: true})
	if err := errors.Join(err, missing); err != nil {
		return mounts.Config{}, fmt.Errorf("making what the controller of Workspaces acts with: %w", err)
	}
	o := e.options
	config := mounts.Config{
		Client: self.Dynamic, Accounts: rights, Owners: rights, Recorder: e.manager.GetEventRecorder(mounts.ControllerName), Log: e.log,
		Policy:          mounts.Policy{URL: mounts.URLPolicy{AllowHTTP: o.WorkspaceHTTP, Hosts: o.WorkspaceHosts, Server: e.config.Host}},
		Settings:        identity.Settings{AllowActingAsSelf: o.ActAsSelf, EngineNamespace: o.Namespace},
		WatchNamespaces: o.WatchNamespaces, Resync: o.Resync, Metrics: e.telemetry.registered,
	}
	for _, text := range o.WorkspaceAPIs {
		api, err := contract.ParseAPI(text)
		if err != nil {
			return mounts.Config{}, err
		}
		config.APIs = append(config.APIs, api)
	}
	return config, nil
}
