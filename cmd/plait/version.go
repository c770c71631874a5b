package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker.
var version = "dev"

// libraries are those whose versions tell what a build understands.
var libraries = []struct{ name, module string }{
	{"kubernetes", "k8s.io/api"},
	{"controller-runtime", "sigs.k8s.io/controller-runtime"},
	{"cel", "github.com/google/cel-go"},
}

func newVersion(std streams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the versions of Plait and of what it is built with",
		Example: "  plait version -o json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			versions := map[string]string{"plait": version, "go": "unknown"}
			modules := map[string]string{}
			if info, ok := debug.ReadBuildInfo(); ok {
				versions["go"] = info.GoVersion
				for _, m := range info.Deps {
					modules[m.Path] = m.Version
				}
			}
			for _, l := range libraries {
				versions[l.name] = modules[l.module]
			}
			if output != "text" {
				return printData(std.out, output, versions)
			}
			for _, name := range []string{"plait", "kubernetes", "controller-runtime", "cel", "go"} {
				fmt.Fprintf(std.out, "%-20s %s\n", name, versions[name])
			}
			return nil
		},
	}
	registerOutput(cmd, &output, "text", "json", "yaml")
	return cmd
}
