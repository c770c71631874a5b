package cluster

import (
	"fmt"
	"os"
	"time"
)

// Names of the programs, which are those of their log files as well.
const (
	etcd              = "etcd"
	apiServer         = "kube-apiserver"
	controllerManager = "kube-controller-manager"
	scheduler         = "kube-scheduler"
	kwok              = "kwok"
)

const (
	serviceRange = "10.96.0.0/16"
	podRange     = "10.244.0.1/16"
	// nodeAddress stands for a machine that does not exist.
	nodeAddress = "192.0.2.1"
	// grace is how long a component of a cluster that lasts may take to stop.
	grace = 10 * time.Second
	// etcdQuota is the largest size of the data that etcd supports.
	etcdQuota = 8 << 30
)

// command returns how a component is started, with the flags given.
func (c *Cluster) command(name string, args []string) command {
	out := command{
		name:   name,
		path:   c.assets + string(os.PathSeparator) + name,
		args:   args,
		env:    []string{"KWOK_WORKDIR=" + c.folder.in(kwok)},
		log:    c.folder.log(name),
		also:   c.log,
		exited: c.fail,
	}
	if !c.folder.temporary {
		out.grace = grace
	}
	return out
}

func (c *Cluster) etcdArgs() []string {
	url := fmt.Sprintf("https://127.0.0.1:%d", c.ports.etcd)
	return []string{
		"--data-dir=" + c.folder.in(etcd),
		"--listen-client-urls=" + url,
		"--advertise-client-urls=" + url,
		"--listen-peer-urls=https://127.0.0.1:0",
		"--client-cert-auth",
		"--cert-file=" + c.folder.in("pki", "etcd.crt"),
		"--key-file=" + c.folder.in("pki", "etcd.key"),
		"--trusted-ca-file=" + c.folder.in("pki", "etcd-ca.crt"),
		"--peer-client-cert-auth",
		"--peer-cert-file=" + c.folder.in("pki", "etcd.crt"),
		"--peer-key-file=" + c.folder.in("pki", "etcd.key"),
		"--peer-trusted-ca-file=" + c.folder.in("pki", "etcd-ca.crt"),
		"--socket-reuse-port",
		fmt.Sprintf("--unsafe-no-fsync=%t", c.config.NoFsync),
		fmt.Sprintf("--quota-backend-bytes=%d", etcdQuota),
		"--log-level=warn",
	}
}

func (c *Cluster) apiServerArgs() []string {
	args := []string{
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", c.ports.apiServer),
		"--permit-port-sharing",
		"--tls-cert-file=" + c.folder.in("pki", "server.crt"),
		"--tls-private-key-file=" + c.folder.in("pki", "server.key"),
		"--client-ca-file=" + c.folder.in("pki", "ca.crt"),
		fmt.Sprintf("--etcd-servers=https://127.0.0.1:%d", c.ports.etcd),
		"--etcd-cafile=" + c.folder.in("pki", "etcd-ca.crt"),
		"--etcd-certfile=" + c.folder.in("pki", "etcd.crt"),
		"--etcd-keyfile=" + c.folder.in("pki", "etcd.key"),
		"--authorization-mode=Node,RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + c.folder.in("pki", "service-account.key"),
		"--service-account-signing-key-file=" + c.folder.in("pki", "service-account.key"),
		"--service-cluster-ip-range=" + serviceRange,
		"--endpoint-reconciler-type=none",
		"--allow-privileged",
	}
	if !c.config.ControllerManager {
		// Nobody makes the default service accounts that it asks for.
		args = append(args, "--disable-admission-plugins=ServiceAccount")
	}
	if c.config.Audit {
		args = append(args,
			"--audit-policy-file="+c.folder.in("audit-policy.yaml"),
			"--audit-log-path="+c.AuditLog(),
			"--audit-log-maxsize=0",
		)
	}
	return append(args, c.config.APIServerArgs...)
}

// clientArgs are the flags that the controller-manager and the scheduler share.
func (c *Cluster) clientArgs(port int) []string {
	kubeconfig := c.KubeconfigPath()
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--authentication-kubeconfig=" + kubeconfig,
		"--authorization-kubeconfig=" + kubeconfig,
		"--leader-elect=false",
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port),
		"--permit-port-sharing",
		"--tls-cert-file=" + c.folder.in("pki", "server.crt"),
		"--tls-private-key-file=" + c.folder.in("pki", "server.key"),
		"--kube-api-qps=1000",
		"--kube-api-burst=2000",
	}
}

func (c *Cluster) controllerManagerArgs() []string {
	args := append(c.clientArgs(c.ports.controllerManager),
		"--controllers=*",
		"--use-service-account-credentials=false",
		"--service-account-private-key-file="+c.folder.in("pki", "service-account.key"),
		"--root-ca-file="+c.folder.in("pki", "ca.crt"),
		"--cluster-signing-cert-file="+c.folder.in("pki", "ca.crt"),
		"--cluster-signing-key-file="+c.folder.in("pki", "ca.key"),
		"--service-cluster-ip-range="+serviceRange,
	)
	return append(args, c.config.ControllerManagerArgs...)
}

func (c *Cluster) schedulerArgs() []string {
	return c.clientArgs(c.ports.scheduler)
}

func (c *Cluster) kwokArgs() []string {
	return []string{
		"--kubeconfig=" + c.KubeconfigPath(),
		"--config=" + c.folder.in("stages.yaml"),
		"--manage-all-nodes=true",
		"--node-ip=" + nodeAddress,
		"--cidr=" + podRange,
		"--node-lease-duration-seconds=40",
	}
}
