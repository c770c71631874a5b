package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFilesAreFresh also has the values hold every flag of the engine.
func TestFilesAreFresh(t *testing.T) {
	if err := run("../../..", true); err != nil {
		t.Error(err)
	}
}

func TestCheckFindsWhatIsNotFresh(t *testing.T) {
	if err := run(t.TempDir(), true); err == nil {
		t.Error("a folder with nothing in it was taken for fresh")
	}
}

func TestValueName(t *testing.T) {
	got := map[string]string{}
	want := map[string]string{"enable": "enable", "client-qps": "clientQps", "allow-crd-deletion": "allowCrdDeletion"}
	for flag := range want {
		got[flag] = valueName(flag)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
