package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"
)

const kubeconfig = `
apiVersion: v1
kind: Config
current-context: here
contexts: [{name: here, context: {cluster: here}}]
clusters: [{name: here, cluster: {server: "https://here.example.com:6443"}}]
`

// connected is what a test compares of a client's configuration.
type connected struct {
	Host, UserAgent string
	QPS             float32
	Burst           int
	Compressed      bool
}

func TestRESTConfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	given := &rest.Config{Host: "https://given.example.com", QPS: 5, Burst: 10, UserAgent: "tests"}
	for name, tt := range map[string]struct {
		options Options
		want    connected
	}{
		"kubeconfig":       {Options{Kubeconfig: file}, connected{"https://here.example.com:6443", "plait", -1, -1, false}},
		"given":            {Options{RESTConfig: given, Kubeconfig: file}, connected{"https://given.example.com", "tests", -1, -1, false}},
		"given, anonymous": {Options{RESTConfig: &rest.Config{Host: "https://a.example.com"}}, connected{"https://a.example.com", "plait", -1, -1, false}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := restConfig(tt.options)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, connected{got.Host, got.UserAgent, got.QPS, got.Burst, !got.DisableCompression}); diff != "" {
				t.Errorf("configuration (-want +got):\n%s", diff)
			}
		})
	}
	if given.QPS != 5 || given.Burst != 10 {
		t.Errorf("the configuration that was given has changed: %v queries, a burst of %d", given.QPS, given.Burst)
	}
}

func TestRESTConfigOfNoCluster(t *testing.T) {
	file := filepath.Join(t.TempDir(), "missing")
	if _, err := restConfig(Options{Kubeconfig: file}); err == nil || !strings.HasPrefix(err.Error(), "finding the cluster: ") {
		t.Errorf("error %v, want one of finding the cluster", err)
	}
}

func TestLoggerWritesAsAsked(t *testing.T) {
	for format, want := range map[string]string{"json": `"msg":"hello"`, "text": "\thello\t"} {
		var out strings.Builder
		log := newLogger(Options{LogFormat: format, LogLevel: 1, LogOutput: &out})
		log.V(1).Info("hello", "to", "all")
		log.V(2).Info("whispered")
		if text := out.String(); !strings.Contains(text, want) || strings.Contains(text, "whispered") {
			t.Errorf("%s: %q, want %q and no more", format, text, want)
		}
	}
}
