package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// maxKubeconfig is how long a kubeconfig may be, in bytes. Secrets hold no more.
const maxKubeconfig = 1 << 20

// Access is what a kubeconfig says of how to reach a cluster. Immutable.
type Access struct {
	Host      string // for people: host, and port where given
	Namespace string // of the context; empty: none
	Hash      string // of the credentials
	config    *rest.Config

	isAnonymous bool // there are no credentials
}

// Usable says for people that the kubeconfig is used, and which one: by the beginning of Hash it can be seen that changed
// credentials have been taken up.
func (a *Access) Usable() string {
	if a.isAnonymous {
		return fmt.Sprintf("the kubeconfig can be used (%.8s), but its user has no credentials: it asks as system:anonymous, unless a proxy before the provider says who it is", a.Hash)
	}
	return fmt.Sprintf("the kubeconfig can be used (credentials %.8s)", a.Hash)
}

// InvalidError says why a kubeconfig cannot be used at all.
type InvalidError struct{ Err error }

// Error is for people, and never holds a credential.
func (e *InvalidError) Error() string { return "the kubeconfig cannot be used: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *InvalidError) Unwrap() error { return e.Err }

// UnsafeError names everything in a kubeconfig that is refused.
type UnsafeError struct{ Problems []Problem }

// Problem is one thing in a kubeconfig that is refused.
type Problem struct {
	What string
	Cure string // what the kubeconfig should say of the server; empty: an account with a token for the same server cures it
}

// Error is for people.
func (e *UnsafeError) Error() string {
	var all []string
	for _, p := range e.Problems {
		all = append(all, p.What)
	}
	return "the kubeconfig is refused: " + strings.Join(all, "; ") +
		". Only self-contained kubeconfigs are used: an https server, its CA, and a token or a client certificate as data"
}

// Parse reads the current context of a kubeconfig, which is untrusted. Nothing that it names is opened, run or asked.
// The error is an *InvalidError or an *UnsafeError. With insecure a server's certificate need not be verified.
func Parse(data []byte, insecure bool) (*Access, error) {
	if len(data) > maxKubeconfig {
		return nil, &InvalidError{fmt.Errorf("it is longer than %d bytes", maxKubeconfig)}
	}
	file, err := clientcmd.Load(data)
	if err != nil {
		return nil, &InvalidError{errors.New("it is no YAML or JSON of a kubeconfig")} // the cause may quote credentials
	}
	chosen, err := choose(file)
	if err != nil {
		return nil, &InvalidError{err}
	}
	server, err := url.Parse(chosen.cluster.Server)
	if err != nil || server.Host == "" {
		return nil, &InvalidError{errors.New("the server is no URL with a host, such as https://provider.example.com:6443")}
	}
	if problems := chosen.problems(server, insecure); len(problems) > 0 {
		return nil, &UnsafeError{problems}
	}
	if err := chosen.checkCredentials(); err != nil {
		return nil, &InvalidError{err}
	}
	config := chosen.restConfig()
	if _, err := rest.TransportFor(config); err != nil {
		return nil, &InvalidError{errors.New("the CA, client certificate or key is no PEM that fits together")}
	}
	return &Access{
		Host: server.Host, Namespace: chosen.namespace, Hash: hashOf(data, insecure), config: config,
		isAnonymous: chosen.user.Token == "" && len(chosen.user.ClientCertificateData) == 0,
	}, nil
}

// hashOf tells credentials apart. It is no secret: nothing can be guessed from a part of a hash over a whole file.
func hashOf(data []byte, insecure bool) string {
	sum := sha256.New()
	sum.Write(data)
	fmt.Fprint(sum, insecure)
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// chosen are the parts of a kubeconfig that its current context names.
type chosen struct {
	cluster   *clientcmdapi.Cluster
	user      *clientcmdapi.AuthInfo
	namespace string
}

func choose(file *clientcmdapi.Config) (chosen, error) {
	if file.CurrentContext == "" {
		return chosen{}, errors.New("it has no current-context")
	}
	context := file.Contexts[file.CurrentContext]
	if context == nil {
		return chosen{}, fmt.Errorf("its current-context %q does not exist", file.CurrentContext)
	}
	cluster := file.Clusters[context.Cluster]
	if cluster == nil {
		return chosen{}, fmt.Errorf("the cluster %q of its current-context does not exist", context.Cluster)
	}
	user := file.AuthInfos[context.AuthInfo]
	if user == nil {
		return chosen{}, fmt.Errorf("the user %q of its current-context does not exist", context.AuthInfo)
	}
	return chosen{cluster: cluster, user: user, namespace: context.Namespace}, nil
}

// problems names what is refused, in a stable order.
func (c chosen) problems(server *url.URL, insecure bool) []Problem {
	var out []Problem
	for _, p := range []struct {
		is bool
		Problem
	}{
		{server.Scheme != "https", Problem{"the server's address is not https", "name the https address of the API server"}},
		{server.User != nil || server.RawQuery != "" || server.Fragment != "",
			Problem{"the server's address has a user, a query or a fragment", "leave no more than host, port and path in it"}},
		{c.cluster.ProxyURL != "", Problem{"it has a proxy-url", "name an address that the engine reaches without a proxy"}},
		{c.cluster.InsecureSkipTLSVerify && !insecure, Problem{
			"it has insecure-skip-tls-verify, which spec.insecureSkipTLSVerify does not allow",
			"put the server's CA into certificate-authority-data instead",
		}},
		{c.cluster.CertificateAuthority != "", Problem{What: "certificate-authority is a file: use certificate-authority-data"}},
		{c.user.Exec != nil, Problem{What: "it runs a program (exec)"}},
		{c.user.AuthProvider != nil, Problem{What: "it has an auth-provider"}},
		{c.user.TokenFile != "", Problem{What: "tokenFile is a file: use token"}},
		{c.user.ClientCertificate != "", Problem{What: "client-certificate is a file: use client-certificate-data"}},
		{c.user.ClientKey != "", Problem{What: "client-key is a file: use client-key-data"}},
		{c.user.Impersonate != "" || c.user.ImpersonateUID != "" || len(c.user.ImpersonateGroups) > 0 || len(c.user.ImpersonateUserExtra) > 0,
			Problem{What: "it impersonates somebody (as)"}},
	} {
		if p.is {
			out = append(out, p.Problem)
		}
	}
	return out
}

// checkCredentials says what no API server could accept. None at all may do: a proxy before it may know who asks.
func (c chosen) checkCredentials() error {
	hasCertificate, hasKey := len(c.user.ClientCertificateData) > 0, len(c.user.ClientKeyData) > 0
	switch {
	case c.user.Username != "" || c.user.Password != "":
		return errors.New("its user has a username or password, which API servers of Kubernetes do not accept: use a token or a client certificate instead")
	case hasCertificate != hasKey:
		return errors.New("its user has only one of client-certificate-data and client-key-data: put both there, or use a token")
	case strings.ContainsFunc(c.user.Token, isNoPartOfToken):
		return errors.New("the token of its user has a blank, a line break or another control character in it or at its end: write it without")
	}
	return nil
}

// isNoPartOfToken tells whether the header that carries a token cannot hold a character, or ends before it.
func isNoPartOfToken(char rune) bool { return char == ' ' || unicode.IsControl(char) }

func (c chosen) restConfig() *rest.Config {
	return &rest.Config{
		Host: c.cluster.Server, BearerToken: c.user.Token, DisableCompression: c.cluster.DisableCompression,
		TLSClientConfig: rest.TLSClientConfig{
			Insecure: c.cluster.InsecureSkipTLSVerify, ServerName: c.cluster.TLSServerName,
			CAData: c.cluster.CertificateAuthorityData, CertData: c.user.ClientCertificateData, KeyData: c.user.ClientKeyData,
		},
	}
}
