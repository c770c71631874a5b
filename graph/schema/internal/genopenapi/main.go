package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	out := flag.String("out", "graph/schema/openapi.zip", "the archive to write")
	dir := flag.String("dir", "", "read the documents of this folder instead of an API server's")
	check := flag.Bool("check", false, "write nothing; fail when the archive is not what would be written")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *dir, *check); err != nil {
		fmt.Fprintln(os.Stderr, "genopenapi:", err)
		os.Exit(1)
	}
}

// run writes the archive, or compares it.
func run(ctx context.Context, out, dir string, check bool) error {
	raw, err := read(ctx, dir)
	if err != nil {
		return err
	}
	documents, err := cutAll(raw)
	if err != nil {
		return err
	}
	archive, err := pack(documents)
	if err != nil {
		return err
	}
	if check {
		return compare(out, archive)
	}
	return os.WriteFile(out, archive, 0o644)
}

// compare fails when a file is not what would be written.
func compare(file string, archive []byte) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the archive: %w", err)
	}
	if !bytes.Equal(old, archive) {
		return fmt.Errorf("archive %q is not what the documents give: write it again", file)
	}
	return nil
}

func read(ctx context.Context, dir string) (map[string][]byte, error) {
	if dir != "" {
		return fromFolder(dir)
	}
	return fromServer(ctx)
}
