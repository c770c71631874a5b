package cluster

import "io"

// Config says what a cluster consists of. The zero value is an API server with
// its etcd, in a folder that Stop removes.
type Config struct {
	// Assets is the folder of the binaries. Empty: the one that FindAssets
	// finds.
	Assets string

	// Dir is the folder of data, certificates, kubeconfigs and logs. It is made
	// when it does not exist, and continued when it does. Empty: a temporary
	// folder, removed by Stop.
	Dir string

	// ControllerManager starts kube-controller-manager with all controllers
	// that are on by default, and turns on the admission of service accounts.
	ControllerManager bool

	// Scheduler starts kube-scheduler.
	Scheduler bool

	// Pods makes pods run, as far as the API can tell: it starts
	// kube-scheduler, kwok and kube-controller-manager, and adds a Node. See
	// HoldAnnotation and FailAnnotation for pods that do not get well.
	Pods bool

	// Audit makes the API server log each request to the file that AuditLog
	// names, but for watches and probes.
	Audit bool

	// NoFsync spares etcd waiting for the disk: data is lost when the machine
	// stops, not when a process does. Always so in a temporary folder.
	NoFsync bool

	// APIServerArgs are added to the API server's flags and win over ours.
	APIServerArgs []string

	// ControllerManagerArgs are the same for kube-controller-manager.
	ControllerManagerArgs []string

	// Log also receives what all components print. Nil: only their files in
	// Dir/logs do.
	Log io.Writer

	// Progress is told what is being waited for, in words for a person. Nil:
	// nobody is.
	Progress func(message string)
}

// withDefaults returns the configuration with what its fields imply.
func (c Config) withDefaults() Config {
	if c.Pods {
		c.Scheduler = true
		c.ControllerManager = true
	}
	if c.Dir == "" {
		c.NoFsync = true
	}
	if c.Progress == nil {
		c.Progress = func(string) {}
	}
	return c
}

// binaries lists the programs that the cluster needs.
func (c Config) binaries() []string {
	names := []string{etcd, apiServer}
	if c.ControllerManager {
		names = append(names, controllerManager)
	}
	if c.Scheduler {
		names = append(names, scheduler)
	}
	if c.Pods {
		names = append(names, kwok)
	}
	return names
}
