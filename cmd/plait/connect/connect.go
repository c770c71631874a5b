package connect

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/progress"
	"github.com/plait-run/plait/connection/remote"
)

// Options say what to connect, and how.
type Options struct {
	Name       string // of the Connection and its Secret
	Kubeconfig string // file of the provider's
	Context    string // of that file; empty: the current one

	SecretsNamespace string              // where the engine looks for the Secret
	AutoBind         *bool               // nil: as it is, else off
	Pull             v1alpha1.PullPolicy // empty: as it is, else the API's default
	CreateAccount    bool                // make an account at the provider, as the user of the kubeconfig
	Overwrite        bool                // a Secret or Connection of somebody else
	Timeout          time.Duration       // for the Connection to become ready

	Consumer func() (*rest.Config, error) // of the cluster that is connected; asked for once the kubeconfig is known to serve
	Progress *progress.Printer
}

// Result is what Run has made and found.
type Result struct {
	Connection   string                 `json:"connection"`
	Secret       string                 `json:"secret"` // namespace/name
	Account      string                 `json:"account,omitempty"`
	Objects      []Object               `json:"objects"`
	Provider     Provider               `json:"provider"`
	AutoBind     bool                   `json:"autoBind"`
	PullPolicy   v1alpha1.PullPolicy    `json:"pullPolicy"`
	ExportedAPIs []v1alpha1.ExportedAPI `json:"exportedAPIs"`
}

// Provider is the cluster that answers.
type Provider struct {
	Host       string                `json:"host"`
	Version    string                `json:"version,omitempty"`
	ClusterUID string                `json:"clusterUID"`
	Source     v1alpha1.SchemaSource `json:"source"`
}

// Problem is something that the document or a cluster has wrong, with its cure.
type Problem string

// Error is the text.
func (p Problem) Error() string { return string(p) }

// NotReadyError says that everything is written, and the Connection is not ready.
type NotReadyError struct{ Reason string }

// Error is the reason.
func (e NotReadyError) Error() string { return e.Reason }

// session is one run.
type session struct {
	Options
	consumer *place
	result   *Result
}

// Run checks the kubeconfig, makes what is to be made, and waits. The error is a Problem, a NotReadyError, or a fault of
// reading a file or asking a cluster.
func Run(ctx context.Context, options Options) (*Result, error) {
	chosen, err := choose(options.Kubeconfig, options.Context)
	if err != nil {
		return nil, err
	}
	s := &session{Options: options, result: &Result{Connection: options.Name, Secret: options.SecretsNamespace + "/" + options.Name}}
	var kubeconfig []byte
	if options.CreateAccount {
		err = checkServer(chosen)
	} else {
		kubeconfig, err = checked(chosen)
	}
	if err != nil {
		return nil, err
	}
	config, err := options.Consumer()
	if err != nil {
		return nil, err
	}
	if s.consumer, err = newPlace(config, "consumer", s); err != nil {
		return nil, err
	}
	before, err := s.look(ctx)
	if err != nil {
		return nil, err
	}
	if options.CreateAccount {
		if kubeconfig, err = s.createAccount(ctx, chosen); err != nil {
			return nil, err
		}
	}
	if err := s.write(ctx, before, kubeconfig); err != nil {
		return nil, err
	}
	return s.result, s.wait(ctx, kubeconfig, before.connection == nil)
}

// createAccount makes the account, and gives its kubeconfig.
func (s *session) createAccount(ctx context.Context, chosen *clientcmdapi.Config) ([]byte, error) {
	local, err := remote.ReadIdentity(ctx, s.consumer.discovery.RESTClient(), "")
	if err != nil {
		return nil, fmt.Errorf("reading which cluster this is: %w", err)
	}
	m, err := newMaker(s, chosen, string(local.UID))
	if err != nil {
		return nil, err
	}
	return m.make(ctx)
}
