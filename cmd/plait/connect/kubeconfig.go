package connect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/plait-run/plait/connection/remote"
)

// choose reads a kubeconfig and gives what one of its contexts needs, and nothing else: the other clusters and users of a
// file are nobody's business. An empty context is the current one. Paths are absolute.
func choose(file, context string) (*clientcmdapi.Config, error) {
	config, err := clientcmd.LoadFromFile(file)
	var unreadable *fs.PathError
	switch {
	case errors.As(err, &unreadable):
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	case err != nil: // the cause may quote credentials
		return nil, Problem(fmt.Sprintf("the kubeconfig %s cannot be read: it is no YAML or JSON of a kubeconfig", file))
	}
	if err := clientcmd.ResolveLocalPaths(config); err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	if context != "" {
		config.CurrentContext = context
	}
	chosen := config.Contexts[config.CurrentContext]
	switch {
	case config.CurrentContext == "":
		return nil, Problem(fmt.Sprintf("the kubeconfig %s has no current-context: name one with --context", file))
	case chosen == nil:
		return nil, Problem(fmt.Sprintf("the kubeconfig %s has no context %q", file, config.CurrentContext))
	case config.Clusters[chosen.Cluster] == nil || config.AuthInfos[chosen.AuthInfo] == nil:
		return nil, Problem(fmt.Sprintf("the context %q of the kubeconfig %s names a cluster or a user that is not in it", config.CurrentContext, file))
	}
	return only(chosen, config), nil
}

// name is that of everything in a kubeconfig of ours.
const name = "provider"

// only gives a kubeconfig with one context. Names that could tell of other clusters go.
func only(chosen *clientcmdapi.Context, of *clientcmdapi.Config) *clientcmdapi.Config {
	out := clientcmdapi.NewConfig()
	cluster, user := of.Clusters[chosen.Cluster].DeepCopy(), of.AuthInfos[chosen.AuthInfo].DeepCopy()
	cluster.LocationOfOrigin, user.LocationOfOrigin = "", ""
	out.Clusters[name], out.AuthInfos[name] = cluster, user
	out.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name, Namespace: chosen.Namespace}
	out.CurrentContext = name
	return out
}

// checked gives the text of a kubeconfig that the engine uses.
func checked(config *clientcmdapi.Config) ([]byte, error) {
	config = config.DeepCopy()
	for _, cluster := range config.Clusters {
		cluster.Extensions = nil // they are for programs of the user's
	}
	text, err := clientcmd.Write(*config)
	if err != nil {
		return nil, fmt.Errorf("writing the kubeconfig: %w", err)
	}
	_, err = remote.Parse(text, false)
	var unsafe *remote.UnsafeError
	var invalid *remote.InvalidError
	switch {
	case errors.As(err, &unsafe):
		return nil, refusal(unsafe.Problems)
	case errors.As(err, &invalid):
		return nil, Problem(invalid.Error())
	}
	return text, err
}

// checkServer asks whether an account can be reached by what a kubeconfig says of the server.
func checkServer(config *clientcmdapi.Config) error {
	kubeconfig, err := ofAccount(config, "token")
	if err != nil {
		return err
	}
	_, err = checked(kubeconfig)
	return err
}

// refusal names each offence and its cure.
func refusal(problems []remote.Problem) Problem {
	var b strings.Builder
	b.WriteString("the kubeconfig is refused; nothing was written:\n")
	for _, p := range problems {
		cure := p.Cure
		if cure == "" {
			cure = "--create-account cures it"
		}
		fmt.Fprintf(&b, "  * %s: %s\n", p.What, cure)
	}
	b.WriteString("The engine uses only kubeconfigs that are self-contained: an https server, its CA, and a token or a client certificate as data.")
	for _, p := range problems {
		if p.Cure == "" {
			b.WriteString("\nWith --create-account this kubeconfig is used once, to make an account with a token at the provider.")
			break
		}
	}
	return Problem(b.String())
}

// ofAccount gives the self-contained kubeconfig of an account of the same server.
func ofAccount(of *clientcmdapi.Config, token string) (*clientcmdapi.Config, error) {
	out := clientcmdapi.NewConfig()
	context := of.Contexts[of.CurrentContext]
	cluster := of.Clusters[context.Cluster].DeepCopy()
	if cluster.CertificateAuthority != "" {
		ca, err := os.ReadFile(cluster.CertificateAuthority)
		if err != nil {
			return nil, fmt.Errorf("reading the CA of the kubeconfig: %w", err)
		}
		cluster.CertificateAuthority, cluster.CertificateAuthorityData = "", ca
	}
	out.Clusters[name] = cluster
	out.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: token}
	out.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name, Namespace: providerNamespace}
	out.CurrentContext = name
	return out, nil
}
