package engine

import (
	"fmt"
	"io"
	"os"

	"github.com/go-logr/logr"
	uberzap "go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/flowcontrol"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
)

func newLogger(o Options) logr.Logger {
	var out io.Writer = os.Stderr
	if o.LogOutput != nil {
		out = o.LogOutput
	}
	level := uberzap.NewAtomicLevelAt(zapcore.Level(-o.LogLevel))
	// A stack tells nothing of an error that a cluster gave, such as an event that a dying namespace refuses.
	return zap.New(zap.WriteTo(out), zap.UseDevMode(o.LogFormat == "text"), zap.Level(&level), zap.StacktraceLevel(zapcore.DPanicLevel))
}

// restConfig finds the cluster: the one given, or what client-go finds by its own rules. The queues and the server's
// Priority and Fairness do the throttling, so the client does none, unless it is told to; then all clients share the limit.
// Answers are not compressed: an API server packs each event of a watch by itself, which costs both sides more processor
// time than the network between them is worth.
func restConfig(o Options) (*rest.Config, error) {
	found := o.RESTConfig
	if found == nil {
		rules := clientcmd.NewDefaultClientConfigLoadingRules()
		rules.ExplicitPath = o.Kubeconfig
		var err error
		if found, err = clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig(); err != nil {
			return nil, fmt.Errorf("finding the cluster: %w", err)
		}
	}
	out := rest.CopyConfig(found)
	out.QPS, out.Burst, out.DisableCompression = -1, -1, true
	if o.ClientQPS > 0 {
		out.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(o.ClientQPS, o.ClientBurst)
	}
	if out.UserAgent == "" {
		out.UserAgent = "plait"
	}
	return out, nil
}
