package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// inputs are the flags of commands that read documents.
type inputs struct {
	files  []string
	crds   []string
	output string
}

func (in *inputs) register(cmd *cobra.Command, formats ...string) {
	cmd.Flags().StringSliceVarP(&in.files, "filename", "f", nil, "file or directory with documents, or - for stdin; may be given several times")
	cmd.Flags().StringSliceVar(&in.crds, "crds", nil, "file or directory with CustomResourceDefinitions or ResourceGroups whose kinds the documents use")
	registerOutput(cmd, &in.output, formats...)
}

// load reads and compiles everything that the flags and arguments name.
func (in *inputs) load(cmd *cobra.Command, args []string, std streams) (*offline.Set, error) {
	documents, known, problems, err := in.read(cmd, args, std)
	if err != nil {
		return nil, err
	}
	set, err := offline.Load(cmd.Context(), documents, known)
	if err != nil {
		return nil, err
	}
	set.Problems.Append(problems)
	return set, nil
}

// read reads the documents that the flags and arguments name, and those whose kinds they only use.
func (in *inputs) read(cmd *cobra.Command, args []string, std streams) (documents, known []*source.Document, problems diag.List, err error) {
	files := in.named(args)
	if len(files) == 0 {
		return nil, nil, problems, fmt.Errorf("name a file: %s -f FILE", cmd.CommandPath())
	}
	if documents, problems, err = offline.Read(files, std.in); err != nil || len(in.crds) == 0 {
		return documents, nil, problems, err
	}
	known, faults, err := offline.Read(in.crds, std.in)
	problems.Append(faults)
	return documents, known, problems, err
}

// named are the files to read.
func (in *inputs) named(args []string) []string { return append(slices.Clone(in.files), args...) }

// loadGroup reads documents that hold exactly one group that compiles; its problems go to stderr.
func (in *inputs) loadGroup(cmd *cobra.Command, args []string, std streams) (*offline.Set, *offline.Group, error) {
	set, err := in.load(cmd, args, std)
	if err != nil {
		return nil, nil, err
	}
	group, err := in.onlyGroup(cmd, args, std, set)
	return set, group, err
}

// onlyGroup gives the one group of a set, if it compiles; problems go to stderr.
func (in *inputs) onlyGroup(cmd *cobra.Command, args []string, std streams, set *offline.Set) (*offline.Group, error) {
	tell(std, set.Problems)
	switch {
	case set.Problems.HasErrors():
		return nil, problemError{}
	case len(set.Groups) == 0:
		return nil, fmt.Errorf("%s holds no ResourceGroup", strings.Join(in.named(args), ", "))
	case len(set.Groups) > 1:
		return nil, fmt.Errorf("%d ResourceGroups are given, and %s takes one: name the others with --crds", len(set.Groups), cmd.Name())
	}
	return set.Groups[0], nil
}

// tell prints diagnostics for people.
func tell(std streams, problems diag.List) {
	shown, more := problems.Capped()
	for _, d := range shown {
		fmt.Fprintln(std.err, d)
	}
	if more > 0 {
		fmt.Fprintf(std.err, "… and %d more\n", more)
	}
}
