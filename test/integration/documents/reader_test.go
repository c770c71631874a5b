package documents_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/test/world"
)

// reader follows the pages in a folder that looks as a clone does in which everything is built.
type reader struct {
	dir string
	env []string
}

// patience is how long a command may take on a machine that is busy.
const patience = 2 * time.Minute

// stand-ins for what is done already: everything is built, and the cluster is there.
const (
	fakeMake = "#!/bin/sh\n[ \"$1\" != image ] || exec \"$REAL_MAKE\" -C \"$TREE\" \"$@\"\n"
	// fakePlait applies in place of plait dev: again while the kind of an instance is not served yet.
	fakePlait = `#!/bin/sh
if [ "$1" != dev ]; then exec "$PLAIT" "$@"; fi
shift
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	said=$(kubectl apply --server-side "$@" 2>&1) && exit 0
	kubectl wait --for=condition=Ready resourcegroup --all --timeout=5s >/dev/null 2>&1
done
echo "$said" >&2
exit 1
`
)

func newReader(t *testing.T) *reader {
	t.Helper()
	dir := t.TempDir()
	program, err := world.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	assets, err := cluster.FindAssets()
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{dir: filepath.Join(dir, "clone")}
	commands := r.at("bin")
	for file, text := range map[string]string{
		r.at("bin", "make"): fakeMake, r.at("bin", "plait"): fakePlait, r.at("bin", "kubectl-plait"): fakePlait,
	} {
		r.write(t, file, text, 0o700)
	}
	for link, target := range map[string]string{
		r.at("examples"): world.InTree("examples"), r.at("deploy"): world.InTree("deploy"),
		r.at(".plait", "cluster", "kubeconfig"): shared.KubeconfigPath(), r.at("bin", "k8s"): assets,
	} {
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	realMake, err := exec.LookPath("make")
	if err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{commands, assets, os.Getenv("PATH")}, string(os.PathListSeparator))
	r.env = append(os.Environ(), "PATH="+path, "PLAIT="+program, "KUBECONFIG="+shared.KubeconfigPath(), "NO_COLOR=1", "HOME="+dir, "REAL_MAKE="+realMake, "TREE="+world.InTree())
	return r
}

func (r *reader) at(elements ...string) string {
	return filepath.Join(append([]string{r.dir}, elements...)...)
}

func (r *reader) write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// run has bash run a script in the clone, and gives what the reader sees of it.
func (r *reader) run(t *testing.T, script string) (shown string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must runs a script that may not fail.
func (r *reader) must(t *testing.T, script string) {
	t.Helper()
	if shown, err := r.run(t, script); err != nil {
		t.Fatalf("$ %s\n%s\n%v", script, shown, err)
	}
}

// do runs a command and holds what it shows to the page. Where the page shows something the command may fail: that is what it
// shows then.
func (r *reader) do(t *testing.T, c command) {
	t.Helper()
	shown, err := r.run(t, c.line)
	if err != nil && len(c.shows) == 0 {
		t.Fatalf("$ %s\n%s\n%v", c.line, shown, err)
	}
	rest := normal(shown)
	for _, line := range c.shows {
		_, after, ok := strings.Cut(rest, normal(line))
		if !ok {
			t.Fatalf("$ %s\ndoes not show, in its place, %q:\n%s", c.line, line, shown)
		}
		rest = after
	}
}

var age = regexp.MustCompile(`\b(\d+[smhd])+\b`)

// normal has one space where there are several, and every age alike.
func normal(text string) string {
	return age.ReplaceAllString(strings.Join(strings.Fields(text), " "), "0s")
}
