package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/graph/diag"
)

// answerTime bounds one request of a command that does not watch.
const answerTime = 30 * time.Second

// target is the cluster that a command looks into: the flags that kubectl has too.
type target struct {
	kubeconfig string
	context    string
	namespace  string
}

func (t *target) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.kubeconfig, "kubeconfig", "", "kubeconfig of the cluster; default: as kubectl finds it")
	cmd.Flags().StringVar(&t.context, "context", "", "context of the kubeconfig")
	cmd.Flags().StringVarP(&t.namespace, "namespace", "n", "", "namespace; default: that of the context")
}

// registerOutput registers -o, with its formats for completion, and has it checked.
func registerOutput(cmd *cobra.Command, into *string, formats ...string) {
	cmd.Flags().StringVarP(into, "output", "o", formats[0], "output format: "+diag.OneOf(formats))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if !slices.Contains(formats, *into) {
			return fmt.Errorf("--output takes %s, not %q", diag.OneOf(formats), *into)
		}
		return nil
	}
}

var errNoCluster = errors.New("no cluster is named: set KUBECONFIG or --kubeconfig")

// connect gives the client configuration and the namespace that counts where none is named.
func (t *target) connect() (*rest.Config, string, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = t.kubeconfig
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: t.context})
	config, err := loader.ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, "", errNoCluster
	}
	if err != nil {
		return nil, "", fmt.Errorf("reading the kubeconfig: %w", err)
	}
	if t.namespace != "" {
		return config, t.namespace, nil
	}
	namespace, _, err := loader.Namespace()
	if err != nil {
		return nil, "", fmt.Errorf("reading the kubeconfig: %w", err)
	}
	return config, namespace, nil
}

// open makes a reader of the cluster; requests are bounded unless the command watches.
func (t *target) open(isWatching bool) (*inspect.Cluster, string, error) {
	config, namespace, err := t.connect()
	if err != nil {
		return nil, "", err
	}
	if !isWatching {
		config.Timeout = answerTime
	}
	cluster, err := inspect.NewCluster(config)
	return cluster, namespace, err
}

// oneObject holds arguments to KIND/NAME, or KIND and NAME.
func oneObject(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("name an object: %s KIND/NAME", cmd.CommandPath())
	}
	if len(args) > 2 {
		return fmt.Errorf("name one object as KIND/NAME, not %q", strings.Join(args, " "))
	}
	return nil
}

// object finds out which object KIND/NAME, or KIND and NAME, mean.
func object(ctx context.Context, reader inspect.Reader, namespace string, args []string) (inspect.Reference, error) {
	word, name, ok := strings.Cut(strings.Join(args, "/"), "/")
	if !ok || word == "" || name == "" || strings.Contains(name, "/") {
		return inspect.Reference{}, fmt.Errorf("name one object as KIND/NAME, not %q", strings.Join(args, " "))
	}
	kinds, err := reader.Kinds(ctx)
	if err != nil {
		return inspect.Reference{}, err
	}
	kind, err := kinds.Find(word)
	if err != nil {
		return inspect.Reference{}, clusterProblem(err)
	}
	ref := inspect.Reference{Kind: kind, Name: name}
	if kind.Namespaced {
		ref.Namespace = namespace
	}
	return ref, nil
}

// clusterProblem tells what the cluster says no to (status 1) from a cluster that cannot be asked (status 2).
func clusterProblem(err error) error {
	var unknown inspect.UnknownKindError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unknown), apierrors.IsNotFound(err), apierrors.IsForbidden(err):
		return problemError{err.Error()}
	default:
		return err
	}
}

// missing says of an object that is not there what may have been meant; other errors are those of clusterProblem.
func missing(ctx context.Context, reader inspect.Reader, ref inspect.Reference, err error) error {
	if !apierrors.IsNotFound(err) {
		return clusterProblem(err)
	}
	where := ""
	if ref.Namespace != "" {
		where = " in namespace " + ref.Namespace
	}
	names, listErr := inspect.Names(ctx, reader, ref.Kind, ref.Namespace)
	if listErr != nil {
		names = nil // no more than a help
	}
	text := fmt.Sprintf("there is no %s %q%s. %s", ref.Kind.GVK.Kind, ref.Name, where, diag.DidYouMean(ref.Name, names))
	return problemError{strings.TrimSpace(text)}
}

// completeObject offers kinds, and after the stroke the names of objects.
func (t *target) completeObject(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	cluster, namespace, err := t.open(false)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completions(cmd.Context(), cluster, namespace, typed)
}

// completions are kinds with a stroke behind, or objects of the kind that is there already.
func completions(ctx context.Context, reader inspect.Reader, namespace, typed string) ([]string, cobra.ShellCompDirective) {
	kinds, err := reader.Kinds(ctx)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	word, _, hasStroke := strings.Cut(typed, "/")
	if !hasStroke {
		var out []string
		for _, name := range kinds.Names() {
			if n := len(typed); n <= len(name) && strings.EqualFold(name[:n], typed) {
				out = append(out, typed+name[n:]+"/") // shells offer only what begins as it was typed
			}
		}
		return out, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
	kind, err := kinds.Find(word)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names, err := inspect.Names(ctx, reader, kind, namespace)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for i := range names {
		names[i] = word + "/" + names[i]
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// lookupEnv is where colours are asked for.
var lookupEnv = os.LookupEnv
