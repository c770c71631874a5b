package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/cmd/plait/connect"
	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/cmd/plait/inspect"
	"github.com/plait-run/plait/cmd/plait/progress"
	"github.com/plait-run/plait/cmd/plait/term"
	"github.com/plait-run/plait/graph/diag"
)

var pullPolicies = []string{
	string(v1alpha1.PullPolicyBound), string(v1alpha1.PullPolicyReferenced), string(v1alpha1.PullPolicyAll), string(v1alpha1.PullPolicyNone),
}

func newConnect(std streams) *cobra.Command {
	c := &connecting{std: std}
	cmd := &cobra.Command{
		Use:   "connect NAME --kubeconfig FILE",
		Short: "Connect this cluster to a provider, and show which APIs it exports",
		Long: "Writes the Secret with the provider's kubeconfig and the Connection NAME, waits until the provider answers, and prints the APIs that it exports. " +
			"Of the kubeconfig only the context in use is kept. What the engine would refuse - programs, files, proxies - is refused before anything is written; " +
			"with --create-account such a kubeconfig is used once, to make an account with just the rights that it takes at the provider, and a kubeconfig of that " +
			"account is kept instead. It may be run again: it says what it creates, changes and leaves as it is, and what no flag says stays.",
		Example: "  plait connect acme --kubeconfig acme.yaml --auto-bind --pull Referenced\n" +
			"  plait connect acme --kubeconfig ~/.kube/config --context acme-admin --create-account",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: c.completeName,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	c.register(cmd)
	return cmd
}

// connecting is one call of plait connect.
type connecting struct {
	std      streams
	consumer target
	options  connect.Options
	autoBind bool
	pull     string
	output   string
}

func (c *connecting) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.options.Kubeconfig, "kubeconfig", "", "kubeconfig of the provider")
	f.StringVar(&c.options.Context, "context", "", "context of the provider's kubeconfig; default: its current one")
	f.StringVar(&c.consumer.kubeconfig, "consumer-kubeconfig", "", "kubeconfig of the cluster that is connected, where Plait runs; default: as kubectl finds it")
	f.StringVar(&c.consumer.context, "consumer-context", "", "context of the consumer's kubeconfig")
	f.StringVar(&c.options.SecretsNamespace, "secrets-namespace", engine.Defaults().SecretsNamespace,
		"namespace of the Secret: the one that the engine was told with its flag of this name")
	f.BoolVar(&c.autoBind, "auto-bind", false, "keep a ClusterBinding of all that the provider exports, with --pull Referenced of what is in use")
	f.StringVar(&c.pull, "pull", "", "which exported APIs are installed: "+diag.OneOf(pullPolicies)+"; default: Bound")
	f.BoolVar(&c.options.CreateAccount, "create-account", false, "make an account at the provider as the user of the kubeconfig, and keep a kubeconfig of that")
	f.BoolVar(&c.options.Overwrite, "overwrite", false, "overwrite a Secret or Connection of that name that this command has not made")
	f.DurationVar(&c.options.Timeout, "timeout", time.Minute, "how long the Connection is waited for")
	registerOutput(cmd, &c.output, "text", "json", "yaml")
	_ = cmd.MarkFlagFilename("kubeconfig")
	_ = cmd.RegisterFlagCompletionFunc("pull", cobra.FixedCompletions(pullPolicies, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("context", c.completeContext)
}

func (c *connecting) run(cmd *cobra.Command, name string) error {
	if err := c.check(name); err != nil {
		return err
	}
	c.options.Name, c.options.Consumer, c.options.Pull = name, c.consumerConfig, v1alpha1.PullPolicy(c.pull)
	if cmd.Flags().Changed("auto-bind") {
		c.options.AutoBind = &c.autoBind
	}
	started := time.Now()
	stamp := func() string { return fmt.Sprintf("%6.1fs", time.Since(started).Seconds()) }
	c.options.Progress = progress.NewPrinter(c.std.err, term.ScreenOf(c.std.err, lookupEnv).Width, stamp)
	result, err := connect.Run(cmd.Context(), c.options)
	var problem connect.Problem
	var notReady connect.NotReadyError
	switch {
	case errors.As(err, &problem):
		return problemError{problem.Error()}
	case errors.As(err, &notReady):
		c.explain(cmd.Context())
		return problemError{notReady.Error()}
	case err != nil:
		return err
	case c.output == "text":
		return printConnected(c.std.out, result)
	}
	return printData(c.std.out, c.output, result)
}

// consumerConfig is how the cluster that is connected is reached.
func (c *connecting) consumerConfig() (*rest.Config, error) {
	config, _, err := c.consumer.connect()
	switch {
	case errors.Is(err, errNoCluster):
		return nil, errors.New("the cluster that is to be connected is not named: set KUBECONFIG or --consumer-kubeconfig")
	case err != nil:
		return nil, err
	}
	config.Timeout = answerTime
	return config, nil
}

// check refuses wrong words before anything is asked.
func (c *connecting) check(name string) error {
	if len(validation.IsDNS1123Subdomain(name)) > 0 || len(name) > validation.LabelValueMaxLength {
		return fmt.Errorf("%q is no name of a Connection: take at most %d lower-case letters, digits, - and ., with a letter or digit at both ends",
			name, validation.LabelValueMaxLength)
	}
	if c.options.Kubeconfig == "" {
		return fmt.Errorf("name the provider's kubeconfig: plait connect %s --kubeconfig FILE", name)
	}
	if c.pull == "" || slices.Contains(pullPolicies, c.pull) {
		return nil
	}
	return fmt.Errorf("--pull takes %s, not %q", diag.OneOf(pullPolicies), c.pull)
}

// explain says, beside the error, why the Connection is not ready, as plait explain does.
func (c *connecting) explain(ctx context.Context) {
	config, err := c.consumerConfig()
	if err != nil {
		return
	}
	cluster, err := inspect.NewCluster(config)
	if err != nil {
		return
	}
	ref, err := object(ctx, cluster, "", []string{"connection", c.options.Name})
	if err == nil {
		// No more than a help: the error is told in any case.
		_ = explainObject(ctx, c.std.err, "text", explanation{reader: cluster, ref: ref})
	}
}

// printConnected prints what is exported, and what is to be done next.
func printConnected(out io.Writer, r *connect.Result) error {
	from := "their labels"
	if r.Provider.Source == v1alpha1.SchemaSourceOpenAPI {
		from = "OpenAPI"
	}
	version := ""
	if r.Provider.Version != "" {
		version = " (" + term.Clean(r.Provider.Version) + ")"
	}
	fmt.Fprintf(out, "Connection %s is ready: %s%s exports %s, found by %s\n", r.Connection, term.Clean(r.Provider.Host), version,
		apis(len(r.ExportedAPIs)), from)
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	if len(r.ExportedAPIs) > 0 {
		fmt.Fprint(table, "\nNAME\tKIND\tSCOPE\tVERSIONS\tSTATE\n")
	}
	for _, api := range r.ExportedAPIs {
		state := string(api.State)
		if api.Message != "" {
			state += ": " + api.Message
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", term.Clean(api.Name), term.Clean(api.Kind), api.Scope, term.Clean(strings.Join(api.Versions, ",")), term.Clean(state))
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("writing the exported APIs: %w", err)
	}
	_, err := fmt.Fprintf(out, "\n%s\n", next(r))
	return err
}

func apis(n int) string {
	if n == 1 {
		return "1 API"
	}
	return fmt.Sprintf("%d APIs", n)
}

// next says what can be done with the Connection now.
func next(r *connect.Result) string {
	switch {
	case len(r.ExportedAPIs) == 0:
		return "Next: have the provider label the definitions of its APIs with plait.run/exported=true; run this again if it made the account."
	case r.PullPolicy == v1alpha1.PullPolicyNone:
		return "Next: say with --pull what is to be installed: Bound, Referenced or All."
	case !r.AutoBind:
		return "Next: bind what you want to use, with a ClusterBinding or a Binding, or all of it with --auto-bind."
	case r.PullPolicy == v1alpha1.PullPolicyReferenced:
		return "Next: use one of these kinds in a ResourceGroup: it is installed and bound then."
	}
	return "Next: use these kinds as if they were of this cluster. plait tree connection/" + r.Connection + " shows how they stand."
}

// completeName offers the Connections that there are.
func (c *connecting) completeName(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names, directive := c.consumer.completeObject(cmd, nil, "connections/"+typed)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], "connections/")
	}
	return names, directive
}

// completeContext offers the contexts of the provider's kubeconfig.
func (c *connecting) completeContext(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	config, err := clientcmd.LoadFromFile(c.options.Kubeconfig)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return slices.Sorted(maps.Keys(config.Contexts)), cobra.ShellCompDirectiveNoFileComp
}
