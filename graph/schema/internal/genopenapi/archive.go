package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"maps"
	"slices"
)

// pack gives a zip file with the documents by name (apis/apps/v1). It holds no times, so that the same documents give
// the same bytes.
func pack(documents map[string][]byte) ([]byte, error) {
	var buffer bytes.Buffer
	z := zip.NewWriter(&buffer)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name + ".json", Method: zip.Deflate})
		if err != nil {
			return nil, fmt.Errorf("packing document %q: %w", name, err)
		}
		if _, err := w.Write(documents[name]); err != nil {
			return nil, fmt.Errorf("packing document %q: %w", name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("closing the archive: %w", err)
	}
	return buffer.Bytes(), nil
}
