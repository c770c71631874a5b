package cluster_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/plait-run/plait/cmd/plait/cluster"
)

// childEnv makes the test binary start a cluster in the folder that it names,
// print the ids of its processes, and wait to be killed.
const childEnv = "PLAIT_TEST_CLUSTER_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		runChild(dir)
		return
	}
	log.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

func runChild(dir string) {
	c, err := cluster.Start(context.Background(), cluster.Config{Dir: dir, Pods: true, NoFsync: true})
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println(c.PIDs())
	select {}
}

// TestKilledParent kills the program that started a cluster, as a crash or the
// system would, and expects its processes to go, and the folder to be usable.
func TestKilledParent(t *testing.T) {
	dir := t.TempDir()
	pids := startChild(t, dir)
	if len(pids) != 5 {
		t.Errorf("the cluster has processes %v, want 5", pids)
	}
	eventually(t, "processes gone", func(context.Context) error {
		for _, pid := range pids {
			if isAlive(pid) {
				return fmt.Errorf("process %d is alive", pid)
			}
		}
		return nil
	})
	start(t, cluster.Config{Dir: dir, Pods: true, NoFsync: true})
}

// startChild runs this binary as childEnv says, kills it, and returns the
// processes of its cluster.
func startChild(t *testing.T, dir string) []int {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childEnv+"="+dir)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	var pids []int
	for _, field := range strings.Fields(strings.Trim(line, "[]\n")) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatalf("the child said %q", line)
		}
		pids = append(pids, pid)
	}
	return pids
}
