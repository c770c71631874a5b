package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (c *Cluster) startEtcd(ctx context.Context) error {
	p, err := c.run(c.command(etcd, c.etcdArgs()), true)
	if err != nil {
		return err
	}
	member, err := c.pki.etcd.client("plait", nil)
	if err != nil {
		return err
	}
	url := fmt.Sprintf("https://127.0.0.1:%d", c.ports.etcd)
	probe, err := probeOf(restConfig(url, c.pki.etcd, member), url+"/health")
	if err != nil {
		return err
	}
	return p.waitFor(ctx, probe)
}

func (c *Cluster) startAPIServer(ctx context.Context) error {
	p, err := c.run(c.command(apiServer, c.apiServerArgs()), true)
	if err != nil {
		return err
	}
	return c.waitForAPIServer(ctx, p)
}

// waitForAPIServer waits until the API server says that it is ready, and the
// namespace that everybody uses is there.
func (c *Cluster) waitForAPIServer(ctx context.Context, p *process) error {
	probe, err := probeOf(c.admin, c.admin.Host+"/readyz")
	if err != nil {
		return err
	}
	if err := p.waitFor(ctx, probe); err != nil {
		return err
	}
	return p.waitFor(ctx, exists(c.client, client.ObjectKey{Name: "default"}, &corev1.Namespace{}))
}

// startClients starts the components that work through the API server, all at
// once, and waits for each.
func (c *Cluster) startClients(ctx context.Context) error {
	if c.config.Pods {
		if err := c.addNode(ctx); err != nil {
			return err
		}
	}
	clients := []struct {
		wanted bool
		name   string
		args   func() []string
		ready  func(context.Context, *process) error
	}{
		{c.config.ControllerManager, controllerManager, c.controllerManagerArgs, c.waitForControllerManager},
		{c.config.Scheduler, scheduler, c.schedulerArgs, c.waitForScheduler},
		{c.config.Pods, kwok, c.kwokArgs, c.waitForNode},
	}
	processes := make([]*process, len(clients))
	for i, component := range clients {
		if !component.wanted {
			continue
		}
		var err error
		if processes[i], err = c.run(c.command(component.name, component.args()), true); err != nil {
			return err
		}
	}
	for i, component := range clients {
		if !component.wanted {
			continue
		}
		if err := component.ready(ctx, processes[i]); err != nil {
			return err
		}
	}
	return nil
}

// waitForControllerManager waits until the controller-manager is healthy, and
// has made the service account without which no pod is admitted.
func (c *Cluster) waitForControllerManager(ctx context.Context, p *process) error {
	if err := c.waitForHealth(ctx, p, c.ports.controllerManager); err != nil {
		return err
	}
	account := client.ObjectKey{Namespace: "default", Name: "default"}
	return p.waitFor(ctx, exists(c.client, account, &corev1.ServiceAccount{}))
}

func (c *Cluster) waitForScheduler(ctx context.Context, p *process) error {
	return c.waitForHealth(ctx, p, c.ports.scheduler)
}

func (c *Cluster) waitForHealth(ctx context.Context, p *process, port int) error {
	probe, err := probeOf(c.admin, fmt.Sprintf("https://127.0.0.1:%d/healthz", port))
	if err != nil {
		return err
	}
	return p.waitFor(ctx, probe)
}

// StopAPIServer ends the API server only, as an outage does: without letting it
// finish anything. The rest of the cluster goes on without it.
func (c *Cluster) StopAPIServer() error {
	c.mu.Lock()
	var server *process
	for _, p := range c.processes {
		if p.name == apiServer {
			server = p
		}
	}
	c.processes = withoutLocked(c.processes, apiServer)
	c.mu.Unlock()
	if server == nil {
		return errors.New("stopping kube-apiserver: it does not run")
	}
	server.grace = 0
	server.stop()
	return nil
}

// StartAPIServer starts the API server after StopAPIServer, at the port that it
// had, and returns when it is ready. Its log goes on.
func (c *Cluster) StartAPIServer(ctx context.Context) error {
	p, err := c.run(c.command(apiServer, c.apiServerArgs()), false)
	if err != nil {
		return err
	}
	return c.waitForAPIServer(ctx, p)
}

// RestartAPIServer is StopAPIServer and StartAPIServer.
func (c *Cluster) RestartAPIServer(ctx context.Context) error {
	if err := c.StopAPIServer(); err != nil {
		return err
	}
	return c.StartAPIServer(ctx)
}

// probeOf returns a probe that succeeds when the URL answers 200.
func probeOf(config *rest.Config, url string) (func(context.Context) error, error) {
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("probing %s: %w", url, err)
	}
	return func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		response, err := httpClient.Do(request)
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			return err
		}
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %s", url, response.Status)
		}
		return nil
	}, nil
}

// exists returns a probe that succeeds when the object is there.
func exists(reader client.Reader, key client.ObjectKey, object client.Object) func(context.Context) error {
	return func(ctx context.Context) error {
		return reader.Get(ctx, key, object)
	}
}
