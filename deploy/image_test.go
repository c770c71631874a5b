package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	buildLine = regexp.MustCompile(`(?m)^RUN (CGO_ENABLED=0 .*go build .*)$`)
	copyLine  = regexp.MustCompile(`(?m)^COPY (go\..*) \./$`)
	linkFlag  = regexp.MustCompile(`-X main\.[a-z]+=`)
	goVersion = regexp.MustCompile(`(?m)^FROM --platform=\$BUILDPLATFORM golang:(\d+\.\d+) AS build$`)
)

// TestImageBuilds holds the Dockerfile to the module that it builds. The go command takes the line that builds the program, for
// every platform, without C: flags, package and all sources are found. It does not compile them once more, which would take
// minutes, as nothing else in the tests is compiled with these flags.
func TestImageBuilds(t *testing.T) {
	dockerfile := read(t, "../Dockerfile")
	sources, line, version := copyLine.FindStringSubmatch(dockerfile), buildLine.FindStringSubmatch(dockerfile), goVersion.FindStringSubmatch(dockerfile)
	if sources == nil || line == nil || version == nil {
		t.Fatalf("the Dockerfile copies %v, builds by %v, with Go %v", sources, line, version)
	}
	for file := range strings.FieldsSeq(sources[1]) {
		if _, err := os.Stat(filepath.Join("..", file)); err != nil {
			t.Error(err)
		}
	}
	if module := "\ngo " + version[1] + "."; !strings.Contains(read(t, "../go.mod"), module) {
		t.Errorf("the image is built with Go %s, which is not the version of go.mod", version[1])
	}
	if set := linkFlag.FindString(line[1]); set == "" || linkFlag.FindString(read(t, "../Makefile")) != set {
		t.Errorf("the image sets %q, and the Makefile does not", set)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		cmd := exec.Command("bash", "-euc", strings.Replace(line[1], "go build ", "go build -n ", 1))
		cmd.Dir, cmd.Env = "..", append(os.Environ(), "TARGETOS=linux", "TARGETARCH="+arch, "VERSION=of-the-test")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", arch, err, out)
		}
	}
}
