package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plait-run/plait/cmd/plait/convert"
	"github.com/plait-run/plait/cmd/plait/offline"
)

func newConvert(std streams) *cobra.Command {
	var files []string
	var output string
	cmd := &cobra.Command{
		Use:   "convert -f FILE…",
		Short: "Turn kro's ResourceGraphDefinitions into ResourceGroups",
		Long: "Prints the ResourceGroups that ResourceGraphDefinitions (or ResourceGroups) of kro.run become; other documents stay as they are. " +
			"Comments and the order of fields are kept. Whatever behaves differently is told on stderr, and in a comment above each document. " +
			"A definition that cannot be converted is told of on stderr and left out; the status is 1 then. " +
			"`plait validate` then checks the result.",
		Example: "  plait convert -f rgd.yaml > group.yaml\n  plait convert -f rgds/ -o json\n  kubectl get rgd -o yaml | plait convert -f - | plait validate -f -",
		RunE: func(_ *cobra.Command, args []string) error {
			documents, problem, err := readDefinitions(append(slices.Clone(files), args...), std.in)
			if err == nil {
				err = printConverted(std, output, documents)
			}
			if err == nil {
				err = problem
			}
			return err
		},
	}
	cmd.Flags().StringSliceVarP(&files, "filename", "f", nil, "file or directory with definitions, or - for stdin; may be given several times")
	registerOutput(cmd, &output, "yaml", "json")
	return cmd
}

// readDefinitions converts what it can; the problem tells of what it cannot, the error of files that cannot be read.
func readDefinitions(paths []string, stdin io.Reader) (out []convert.Document, problem, err error) {
	if len(paths) == 0 {
		return nil, nil, fmt.Errorf("name a file: plait convert -f FILE")
	}
	files, err := offline.Files(paths, stdin)
	if err != nil {
		return nil, nil, err
	}
	var problems []string
	for _, file := range files {
		documents, err := convert.Convert(file.Name, file.Data)
		if err != nil {
			problems = append(problems, err.Error())
		}
		out = append(out, documents...)
	}
	isConverted := func(d convert.Document) bool { return d.Converted }
	switch {
	case len(problems) > 0:
		problem = problemError{strings.Join(problems, "\n")}
	case !slices.ContainsFunc(out, isConverted):
		return nil, nil, problemError{"the files hold no ResourceGraphDefinition of kro.run"}
	}
	return out, problem, nil
}

func printConverted(std streams, format string, documents []convert.Document) error {
	objects := []json.RawMessage{}
	notes := []convert.Note{}
	for i, d := range documents {
		notes = append(notes, d.Notes...)
		if format == "json" {
			data, err := d.JSON()
			if err != nil {
				return err
			}
			objects = append(objects, data)
			continue
		}
		data, err := d.YAML()
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprintln(std.out, "---")
		}
		if _, err := std.out.Write(data); err != nil {
			return fmt.Errorf("writing the result: %w", err)
		}
	}
	if format == "json" {
		return printData(std.out, format, map[string]any{"documents": objects, "notes": notes})
	}
	for _, n := range notes {
		fmt.Fprintln(std.err, n)
	}
	return nil
}
