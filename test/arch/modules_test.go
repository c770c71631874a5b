package arch

import (
	"os"
	"regexp"
	"testing"
)

var required = regexp.MustCompile(`(?m)^(?:require)?\s+(\S+/\S+) (v\S+)`)

// TestModulesAgree holds the module that uses this one to the versions that this one requires: with an older one `make browser`
// ends before it begins. No other target builds that module.
func TestModulesAgree(t *testing.T) {
	ours, theirs := versions(t, "../../go.mod"), versions(t, "../browser/go.mod")
	shared := 0
	for module, version := range ours {
		have, ok := theirs[module]
		if !ok {
			continue // it is not reached by what that module imports
		}
		shared++
		if have != version {
			t.Errorf("test/browser requires %s %s, and go.mod %s: run `go mod tidy` in test/browser", module, have, version)
		}
	}
	if shared < 20 {
		t.Errorf("only %d requirements are shared", shared)
	}
}

func versions(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, m := range required.FindAllStringSubmatch(string(text), -1) {
		out[m[1]] = m[2]
	}
	return out
}
