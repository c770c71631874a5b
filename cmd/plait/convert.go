package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

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
			"`plait validate` then checks the result.",
		Example: "  plait convert -f rgd.yaml > group.yaml\n  plait convert -f rgds/ -o json\n  kubectl get rgd -o yaml | plait convert -f - | plait validate -f -",
		RunE: func(_ *cobra.Command, args []string) error {
			documents, err := readDefinitions(append(slices.Clone(files), args...), std.in)
			if err != nil {
				return err
			}
			return printConverted(std, output, documents)
		},
	}
	cmd.Flags().StringSliceVarP(&files, "filename", "f", nil, "file or directory with definitions, or - for stdin; may be given several times")
	cmd.Flags().StringVarP(&output, "output", "o", "yaml", "output format: yaml or json")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if output != "yaml" && output != "json" {
			return fmt.Errorf("--output takes yaml or json, not %q", output)
		}
		return nil
	}
	return cmd
}

func readDefinitions(paths []string, stdin io.Reader) ([]convert.Document, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("name a file: plait convert -f FILE")
	}
	files, err := offline.Files(paths, stdin)
	if err != nil {
		return nil, err
	}
	var out []convert.Document
	isKro := false
	for _, file := range files {
		documents, err := convert.Convert(file.Name, file.Data)
		if err != nil {
			return nil, problemError{err.Error()}
		}
		out = append(out, documents...)
		isKro = isKro || slices.ContainsFunc(documents, func(d convert.Document) bool { return d.Converted })
	}
	if !isKro {
		return nil, problemError{"the files hold no ResourceGraphDefinition of kro.run"}
	}
	return out, nil
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
