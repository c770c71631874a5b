package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// startTimeout bounds Start where its context has no deadline.
const startTimeout = 3 * time.Minute

// Cluster is a control plane that runs, made by Start. Its methods may be
// called from several goroutines.
type Cluster struct {
	config Config
	assets string
	folder *folder
	ports  *ports
	pki    *pki
	admin  *rest.Config
	client client.Client
	log    io.Writer
	failed chan error

	mu sync.Mutex
	// processes are in the order in which they were started.
	processes []*process
	stopped   bool
}

// Start brings a cluster up and returns when all of it answers. The context
// bounds the start, not the life of the cluster, and 3 minutes do where it has
// no deadline. When anything fails, nothing is left running, and the error
// shows the end of the log of what failed.
func Start(ctx context.Context, config Config) (*Cluster, error) {
	c, err := prepare(config.withDefaults())
	if err != nil {
		return nil, err
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, startTimeout)
		defer cancel()
	}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// prepare does all that can be done before the first process.
func prepare(config Config) (*Cluster, error) {
	assets, err := checkAssets(config.Assets, config.binaries())
	if err != nil {
		return nil, err
	}
	dir, err := openFolder(config.Dir)
	if err != nil {
		return nil, err
	}
	c := &Cluster{config: config, assets: assets, folder: dir, failed: make(chan error, 1)}
	if config.Log != nil {
		c.log = &sharedWriter{to: config.Log}
	}
	if err := c.prepareFiles(); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// prepareFiles takes the ports and writes what the components read.
func (c *Cluster) prepareFiles() error {
	var err error
	if c.ports, err = reservePorts(c.folder.port()); err != nil {
		return err
	}
	if err := c.folder.setPort(c.ports.apiServer); err != nil {
		return fmt.Errorf("keeping the port: %w", err)
	}
	if c.pki, err = loadPKI(c.folder); err != nil {
		return err
	}
	if c.admin, err = c.RESTConfigFor("plait:admin", "system:masters"); err != nil {
		return err
	}
	if c.client, err = newClient(c.admin); err != nil {
		return err
	}
	if err := writeKubeconfig(c.KubeconfigPath(), c.admin); err != nil {
		return err
	}
	return c.writeConfigs()
}

// start runs the components, each once those that it needs are ready.
func (c *Cluster) start(ctx context.Context) error {
	steps := []struct {
		wanted bool
		what   string
		run    func(context.Context) error
	}{
		{true, "starting etcd", c.startEtcd},
		{true, "starting the API server", c.startAPIServer},
		{len(c.config.binaries()) > 2, "starting the controllers", c.startClients},
	}
	for _, step := range steps {
		if !step.wanted {
			continue
		}
		c.config.Progress(step.what)
		if err := step.run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// run starts a component and forgets an earlier process of the same name. Its
// log begins anew when fresh.
func (c *Cluster) run(cmd command, fresh bool) (*process, error) {
	if fresh {
		if err := os.Remove(cmd.log); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("starting %s: %w", cmd.name, err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return nil, fmt.Errorf("starting %s: %w", cmd.name, errStopped)
	}
	p, err := cmd.start()
	if err != nil {
		return nil, err
	}
	c.processes = append(withoutLocked(c.processes, cmd.name), p)
	return p, nil
}

var errStopped = errors.New("the cluster was stopped")

// withoutLocked returns the processes but for those of the name given.
func withoutLocked(processes []*process, name string) []*process {
	var kept []*process
	for _, p := range processes {
		if p.name != name {
			kept = append(kept, p)
		}
	}
	return kept
}

// Stop ends all processes, the clients of each before it, and returns when they
// are gone. A temporary folder is removed. A second call does nothing.
func (c *Cluster) Stop() error {
	c.mu.Lock()
	if c.stopped {
		c.mu.Unlock()
		return nil
	}
	c.stopped = true
	processes := c.processes
	c.processes = nil
	c.mu.Unlock()

	stopAll(processes)
	if c.ports != nil {
		c.ports.close()
	}
	if err := c.folder.close(); err != nil {
		return fmt.Errorf("stopping the cluster: %w", err)
	}
	return nil
}

// stopAll stops the processes in three waves, since etcd must outlive the API
// server, and that the rest, for a quick and quiet end.
func stopAll(processes []*process) {
	waves := [][]*process{nil, nil, nil}
	for _, p := range processes {
		switch p.name {
		case etcd:
			waves[2] = append(waves[2], p)
		case apiServer:
			waves[1] = append(waves[1], p)
		default:
			waves[0] = append(waves[0], p)
		}
	}
	for _, wave := range waves {
		var group sync.WaitGroup
		for _, p := range wave {
			group.Go(p.stop)
		}
		group.Wait()
	}
}

// Failed yields the first component that ended without having been told to.
func (c *Cluster) Failed() <-chan error {
	return c.failed
}

func (c *Cluster) fail(err error) {
	select {
	case c.failed <- err:
	default:
	}
}

// PIDs returns the ids of the processes that were started and not stopped.
func (c *Cluster) PIDs() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	var pids []int
	for _, p := range c.processes {
		pids = append(pids, p.cmd.Process.Pid)
	}
	return pids
}

// sharedWriter lets several processes write to one writer.
type sharedWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *sharedWriter) Write(data []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(data)
}
