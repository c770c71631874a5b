package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	check := flag.Bool("check", false, "only tell whether the files are fresh")
	root := flag.String("root", ".", "folder of the module")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes all files that are generated, or with check tells which are not fresh.
func run(root string, check bool) error {
	files, err := generated(root)
	if err != nil {
		return err
	}
	var stale []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(root, name)
		old, err := os.ReadFile(path)
		if err == nil && bytes.Equal(old, files[name]) {
			continue
		}
		if check {
			stale = append(stale, fmt.Errorf("%s is not fresh: run `make generate`", name))
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("making the folder of %q: %w", name, err)
		}
		if err := os.WriteFile(path, files[name], 0o644); err != nil {
			return fmt.Errorf("writing %q: %w", name, err)
		}
	}
	return errors.Join(stale...)
}

// generated gives the content of every file, by its path in the module.
func generated(root string) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, part := range []func(root string, files map[string][]byte) error{addSettings, addDefinitions, addPolicies, addRoles} {
		if err := part(root, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}
