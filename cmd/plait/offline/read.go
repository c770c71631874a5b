package offline

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/source"
)

// maxFileBytes bounds what is read of one file.
const maxFileBytes = 64 << 20

// extensions are those of the files that are read of a directory.
var extensions = []string{".yaml", ".yml", ".json"}

// File is a file that was read.
type File struct {
	Name string // as given on the command line, or found in a directory; "-" is stdin
	Data []byte
}

// Read gives the documents of files and directories, in order; "-" is stdin. Directories are walked but for
// hidden ones, and their YAML and JSON files are read in the order of their names. What cannot be parsed is a diagnostic, what cannot
// be read an error.
func Read(paths []string, stdin io.Reader) ([]*source.Document, diag.List, error) {
	var docs []*source.Document
	var problems diag.List
	files, err := Files(paths, stdin)
	for _, file := range files {
		parsed, faults := source.Parse(file.Name, file.Data)
		docs = append(docs, parsed...)
		problems.Append(faults)
	}
	return docs, problems, err
}

// Files reads files and directories as Read does, but parses nothing.
func Files(paths []string, stdin io.Reader) ([]File, error) {
	names, err := expand(paths)
	if err != nil {
		return nil, err
	}
	var out []File
	for _, name := range names {
		data, err := readFile(name, stdin)
		if err != nil {
			return nil, err
		}
		out = append(out, File{Name: name, Data: data})
	}
	return out, nil
}

func expand(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		if path == "-" {
			files = append(files, path)
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("reading %q: %w", path, err)
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found, err := walk(path)
		if err != nil {
			return nil, fmt.Errorf("reading the directory %q: %w", path, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("the directory %q holds no .yaml, .yml or .json file", path)
		}
		files = append(files, found...)
	}
	return files, nil
}

func walk(dir string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != dir && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if err == nil && !entry.IsDir() && slices.Contains(extensions, filepath.Ext(path)) {
			found = append(found, path)
		}
		return err
	})
	return found, err
}

func readFile(file string, stdin io.Reader) ([]byte, error) {
	in := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("reading %q: %w", file, err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", file, err)
	}
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("reading %q: it is larger than %d MiB", file, maxFileBytes>>20)
	}
	return data, nil
}
