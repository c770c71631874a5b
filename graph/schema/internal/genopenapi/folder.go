package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const fileSuffix = "_openapi.json"

// fromFolder reads the documents of a folder such as api/openapi-spec/v3 of the Kubernetes module, whose files are
// named like apis__apps__v1_openapi.json.
func fromFolder(dir string) (map[string][]byte, error) {
	files, err := filepath.Glob(filepath.Join(dir, "api*__*"+fileSuffix))
	if err != nil {
		return nil, fmt.Errorf("listing folder %q: %w", dir, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("folder %q holds no OpenAPI documents", dir)
	}
	out := map[string][]byte{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading document %q: %w", file, err)
		}
		name := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(file), fileSuffix), "__", "/")
		out[name] = raw
	}
	return out, nil
}
