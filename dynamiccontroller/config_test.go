package dynamiccontroller

import (
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

func TestConfigNamesAllFaults(t *testing.T) {
	_, err := New(Config{Slots: -1, Linger: -1, FirstRetry: time.Hour})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"API server", "at a time", "times", "last delay"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not named in: %v", want, err)
		}
	}
}

func TestConfigDefaults(t *testing.T) {
	cfg := Config{REST: &rest.Config{}}
	if err := cfg.complete(); err != nil {
		t.Fatal(err)
	}
	if cfg.Slots != 20 || cfg.Resync != 10*time.Hour || cfg.Linger != time.Minute {
		t.Errorf("defaults %+v", cfg)
	}
}
