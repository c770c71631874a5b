package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/plait-run/plait/cmd/plait/engine"
)

const flagsIntro = `# Flags of the engine

What ~plait controller~ can be told. Each flag can be set by an environment variable as well: ~PLAIT_~ and its name in
capitals, with ~_~ for ~-~; the command line wins. Wrong settings are named all at once, and nothing starts.

| flag | environment | default | |
|---|---|---|---|
`

// flagsPage is the reference of the engine's flags, in alphabetical order.
func flagsPage() string {
	options := engine.Defaults()
	options.SecretsNamespace = "plait-system" // wherever the page is made
	flags := pflag.NewFlagSet("engine", pflag.ContinueOnError)
	options.Register(flags)
	var b strings.Builder
	b.WriteString(generated + strings.ReplaceAll(flagsIntro, "~", "`"))
	flags.VisitAll(func(f *pflag.Flag) {
		preset := ""
		if value := strings.Trim(f.DefValue, "[]"); value != "" {
			preset = "`" + value + "`"
		}
		fmt.Fprintf(&b, "| `--%s` | `PLAIT_%s` | %s | %s |\n", f.Name, strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_")), preset, f.Usage)
	})
	return b.String()
}
