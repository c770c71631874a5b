package cluster

import (
	"fmt"
	"net/url"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// RESTConfig returns a configuration for a user that may do everything
// (system:masters), without a limit on the client's requests. Each call returns
// a copy.
func (c *Cluster) RESTConfig() *rest.Config {
	return rest.CopyConfig(c.admin)
}

// RESTConfigFor returns a configuration for a user of the name and groups given,
// which may do what RBAC lets it do. The API server knows the user by a client
// certificate, made anew by each call.
func (c *Cluster) RESTConfigFor(user string, groups ...string) (*rest.Config, error) {
	issued, err := c.pki.users.client(user, groups)
	if err != nil {
		return nil, err
	}
	return restConfig(fmt.Sprintf("https://127.0.0.1:%d", c.ports.apiServer), c.pki.users, issued), nil
}

// KubeconfigPath returns the path of a kubeconfig with what RESTConfig returns.
// In a folder that is continued it is the same each time.
func (c *Cluster) KubeconfigPath() string {
	return c.folder.in("kubeconfig")
}

// WriteKubeconfig writes a kubeconfig with what RESTConfigFor returns and
// returns its path, the same for the same user.
func (c *Cluster) WriteKubeconfig(user string, groups ...string) (string, error) {
	config, err := c.RESTConfigFor(user, groups...)
	if err != nil {
		return "", err
	}
	path := c.folder.in("kubeconfigs", url.PathEscape(user)+".yaml")
	return path, writeKubeconfig(path, config)
}

// Kubeconfig returns what WriteKubeconfig writes.
func (c *Cluster) Kubeconfig(user string, groups ...string) ([]byte, error) {
	config, err := c.RESTConfigFor(user, groups...)
	if err != nil {
		return nil, err
	}
	return encodeKubeconfig(config)
}

func restConfig(host string, server *authority, user pair) *rest.Config {
	return &rest.Config{
		Host: host,
		QPS:  -1,
		TLSClientConfig: rest.TLSClientConfig{
			CAData:   server.pem,
			CertData: user.cert,
			KeyData:  user.key,
		},
	}
}

func kubeconfigOf(config *rest.Config) *clientcmdapi.Config {
	const name = "plait"
	out := clientcmdapi.NewConfig()
	out.Clusters[name] = &clientcmdapi.Cluster{
		Server:                   config.Host,
		CertificateAuthorityData: config.CAData,
	}
	out.AuthInfos[name] = &clientcmdapi.AuthInfo{
		ClientCertificateData: config.CertData,
		ClientKeyData:         config.KeyData,
	}
	out.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	out.CurrentContext = name
	return out
}

func encodeKubeconfig(config *rest.Config) ([]byte, error) {
	encoded, err := clientcmd.Write(*kubeconfigOf(config))
	if err != nil {
		return nil, fmt.Errorf("encoding a kubeconfig: %w", err)
	}
	return encoded, nil
}

func writeKubeconfig(path string, config *rest.Config) error {
	if err := clientcmd.WriteToFile(*kubeconfigOf(config), path); err != nil {
		return fmt.Errorf("writing %q: %w", path, err)
	}
	return nil
}
