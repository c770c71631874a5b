package sync

import (
	"context"
	"slices"
	"sync"

	"github.com/go-logr/logr"

	"github.com/plait-run/plait/connection/sync/mirror"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/dynamiccontroller/watch"
)

// Related is what travels with the objects of a binding: Secrets or ConfigMaps, one way.
type Related struct {
	FromProvider bool
	Names        []string
	Selectors    []string // label selectors, as a list request takes them
	Partial      bool     // not every API of the binding is being synced: there may be objects where none is known
}

// companion copies what travels, into the namespaces where the binding has objects. Its sources get no finalizer: they are
// not ours.
type companion struct {
	task   Task
	remote Remote
	cfg    Config
	log    logr.Logger
	maker  mirror.Maker // of the copies
	spaces mirror.Maker // that maps namespaces

	sources []*watch.Cache
	copies  *watch.Cache
	from    door // read only
	to      door
	line    line
	ledger  *ledger

	mu     sync.Mutex
	inUse  map[string]bool // namespaces of this cluster where the binding has objects
	isHere bool            // inUse is known
}

func newCompanion(task Task, remote Remote, cfg Config) *companion {
	c := &companion{
		task: task, remote: remote, cfg: cfg, ledger: newLedger(),
		log:    cfg.Log.WithValues("related", task.API, "binding", task.Binding.Name, "namespace", task.Binding.Namespace, "connection", task.Connection),
		spaces: mirror.Maker{Prefix: task.Prefix},
	}
	c.line = newLine(c.log, 1)
	c.line.do = c.sync
	from, to, side := cfg.Consumer, remote.Dynamic, up
	sourceSpace, copySpace := task.Binding.Namespace, task.Binding.Namespace
	c.maker = mirror.Maker{Cluster: remote.LocalUID, Binding: task.UID, Prefix: task.Prefix}
	if task.Related.FromProvider {
		from, to, side = to, from, down
		c.maker = mirror.Maker{Cluster: remote.UID, Binding: task.UID}.Inbound()
		sourceSpace = c.there(sourceSpace)
	} else {
		copySpace = c.there(copySpace)
	}
	c.from = door{client: from, resource: task.Resource}
	c.to = door{to, task.Resource, c.maker.Manager(), func(err error) { cfg.Metrics.wrote(task, side, err) }}
	for _, scope := range c.scopes(sourceSpace) {
		c.sources = append(c.sources, watch.NewCache(watch.CacheConfig{
			Client: from, Log: c.log, Scope: scope, Changed: c.sourceChanged, Complete: c.completed, Failed: c.tell,
		}))
	}
	c.copies = watch.NewCache(watch.CacheConfig{
		Client: to, Log: c.log, Scope: track.Scope{Resource: task.Resource, Namespace: copySpace, Selector: c.maker.Selector()},
		KeepOwnFields: true, Manager: c.maker.Manager(), Changed: c.copyChanged, Complete: c.completed, Failed: c.tell,
	})
	return c
}

// scopes are the lists of sources: of each name, and of each selector.
func (c *companion) scopes(namespace string) []track.Scope {
	var out []track.Scope
	for _, name := range c.task.Related.Names {
		out = append(out, track.Scope{Resource: c.task.Resource, Namespace: namespace, Name: name})
	}
	for _, selector := range c.task.Related.Selectors {
		out = append(out, track.Scope{Resource: c.task.Resource, Namespace: namespace, Selector: selector})
	}
	return out
}

// there gives the provider's namespace for one of this cluster; empty stays empty.
func (c *companion) there(namespace string) string {
	if namespace == "" {
		return ""
	}
	return c.spaces.Namespace(namespace)
}

func (c *companion) about() (Task, Remote) { return c.task, c.remote }

// run works until ctx or the way to the provider ends, and joins all that it started.
func (c *companion) run(ctx context.Context) {
	c.line.run(ctx, c.remote.Done, append(slices.Clone(c.sources), c.copies)...)
}

func (c *companion) isComplete() (bool, error) {
	for _, one := range append(slices.Clone(c.sources), c.copies) {
		if complete, err := one.State(); !complete {
			return false, err
		}
	}
	return true, nil
}

// use tells in which namespaces the binding has objects.
func (c *companion) use(namespaces map[string]bool) {
	c.mu.Lock()
	isNews := !c.isHere || !isEqual(c.inUse, namespaces)
	c.inUse, c.isHere = namespaces, true
	c.mu.Unlock()
	if isNews {
		c.completed()
	}
}

func isEqual(a, b map[string]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for key := range a {
		if !b[key] {
			return false
		}
	}
	return true
}

func (c *companion) knowsSpaces() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.isHere
}

func (c *companion) isUsed(namespace string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.inUse[namespace] && c.task.Mode == Copying
}

// completed looks at everything.
func (c *companion) completed() {
	defer c.tell()
	if complete, _ := c.isComplete(); !complete {
		return
	}
	for _, source := range c.sources {
		for _, u := range source.Select("", everything) {
			c.sourceChanged(watch.Change{New: u})
		}
	}
	for _, u := range c.copies.Select("", everything) {
		c.copyChanged(watch.Change{New: u})
	}
}

func (c *companion) tell() { c.cfg.Changed(c.task.Binding) }

// sourceChanged queues a source by its place in this cluster; where the binding has no objects it is nobody's.
func (c *companion) sourceChanged(change watch.Change) {
	if change.Initial {
		return
	}
	key := keyOf(change.Object())
	if c.task.Related.FromProvider {
		key.Namespace = c.here(key.Namespace)
	}
	if key.Namespace != "" {
		c.line.queue.Add(key)
	}
}

func (c *companion) copyChanged(change watch.Change) {
	if change.Initial || change.Echo {
		return
	}
	key := keyOf(change.Object())
	if !c.task.Related.FromProvider && c.task.Prefix != "" {
		key.Namespace = mirror.OriginOf(change.Object())
	}
	if key.Namespace != "" {
		c.line.queue.Add(key)
	}
}

// here gives the namespace of this cluster that one of the provider is for; empty: none.
func (c *companion) here(theirs string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for namespace := range c.inUse {
		if c.there(namespace) == theirs {
			return namespace
		}
	}
	return ""
}

// report is how the companion stands.
func (c *companion) report() Report {
	out := c.ledger.sum(c.cfg.Now())
	out.Running, out.Fault = c.isComplete()
	if c.task.Mode.Leaves() {
		for _, live := range c.copies.Select("", everything) {
			if c.maker.IsMade(live) {
				out.Left++
			}
		}
	}
	return out
}
