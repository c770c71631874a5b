package main

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/plait-run/plait/cmd/plait/engine"
)

func TestFlagsFromEnvironment(t *testing.T) {
	tests := map[string]struct {
		args        []string
		environment map[string]string
		want        map[string]string // the flags that are not as they are by default
		fault       string
	}{
		"nothing is set": {},
		"set": {
			nil, map[string]string{"PLAIT_MAX_EXPRESSION_COST": "7", "PLAIT_INSTALL_CRDS": "true"},
			map[string]string{"max-expression-cost": "7", "install-crds": "true"}, "",
		},
		"set to nothing": {nil, map[string]string{"PLAIT_NAMESPACE": ""}, map[string]string{"namespace": ""}, ""},
		"the command line wins": {
			[]string{"--log-format=text"}, map[string]string{"PLAIT_LOG_FORMAT": "json", "PLAIT_RESYNC": "1h"},
			map[string]string{"log-format": "text", "resync": "1h0m0s"}, "",
		},
		"the command line wins over a wrong value": {
			[]string{"--log-level=2"}, map[string]string{"PLAIT_LOG_LEVEL": "much"}, map[string]string{"log-level": "2"}, "",
		},
		"others are left alone": {
			nil, map[string]string{"KUBECONFIG": "x", "LOG_FORMAT": "text", "PLAIT_NO_FLAG": "1", "plait_namespace": "a"}, nil, "",
		},
		"all faults at once": {
			nil, map[string]string{"PLAIT_RESYNC": "soon", "PLAIT_CONCURRENT_GROUPS": "two", "PLAIT_NAMESPACE": "a"}, nil,
			`the environment sets flags wrongly: ` +
				`PLAIT_CONCURRENT_GROUPS: "two" is no value of type int; ` +
				`PLAIT_RESYNC: "soon" is no value of type duration`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			options := engine.Defaults()
			flags := pflag.NewFlagSet("controller", pflag.ContinueOnError)
			options.Register(flags)
			if err := flags.Parse(tt.args); err != nil {
				t.Fatal(err)
			}
			lookup := func(name string) (string, bool) { value, ok := tt.environment[name]; return value, ok }
			fault := ""
			if err := flagsFromEnvironment(flags, lookup); err != nil {
				fault = err.Error()
			}
			if fault != tt.fault {
				t.Errorf("fault %q, want %q", fault, tt.fault)
			}
			if fault != "" {
				return
			}
			got := map[string]string{}
			flags.VisitAll(func(f *pflag.Flag) {
				if f.Value.String() != f.DefValue {
					got[f.Name] = f.Value.String()
				}
			})
			if !maps.Equal(got, tt.want) {
				t.Errorf("flags (-want +got):\n%s", cmp.Diff(tt.want, got))
			}
		})
	}
}

func TestControllerTellsWhyItCannotStart(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	tests := map[string]struct {
		args        []string
		environment map[string]string
		want        int
		says        []string
	}{
		"settings":        {[]string{"--log-format=xml", "--concurrent-groups=0"}, nil, exitUsage, []string{`--log-format: "xml"`, "--concurrent-groups: 0"}},
		"the environment": {nil, map[string]string{"PLAIT_LOG_FORMAT": "xml"}, exitUsage, []string{`--log-format: "xml"`}},
		"no such flag":    {[]string{"--colour"}, nil, exitUsage, []string{"unknown flag: --colour"}},
		"an argument":     {[]string{"now"}, nil, exitUsage, []string{`"now"`}},
		"no cluster":      {[]string{"--kubeconfig", missing}, nil, exitProblem, []string{"finding the cluster", missing}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for key, value := range tt.environment {
				t.Setenv(key, value)
			}
			var out, errors strings.Builder
			std := streams{in: strings.NewReader(""), out: &out, err: &errors}
			if got := run(t.Context(), append([]string{"controller"}, tt.args...), std); got != tt.want {
				t.Errorf("status %d, want %d", got, tt.want)
			}
			for _, text := range tt.says {
				if !strings.Contains(errors.String(), text) {
					t.Errorf("stderr does not say %q:\n%s", text, errors.String())
				}
			}
			if out.Len() > 0 {
				t.Errorf("stdout: %s", out.String())
			}
		})
	}
}

// TestControllerHelp has the help name the flags that scripts rely on, and the environment.
func TestControllerHelp(t *testing.T) {
	var out, errors strings.Builder
	if got := run(t.Context(), []string{"controller", "--help"}, streams{in: strings.NewReader(""), out: &out, err: &errors}); got != 0 {
		t.Fatalf("status %d: %s", got, errors.String())
	}
	for _, flag := range []string{
		"--kubeconfig string", "--install-crds", "--enable strings", "--metrics-bind-address string", "--health-probe-bind-address string",
		"--leader-elect", "--allow-acting-as-self", "--default-service-account string", "--watch-namespaces strings", "PLAIT_",
	} {
		if !strings.Contains(out.String(), flag) {
			t.Errorf("the help does not name %s:\n%s", flag, out.String())
		}
	}
}
