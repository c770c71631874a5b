package browser

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/plait-run/plait/cmd/plait/cluster"
	"github.com/plait-run/plait/cmd/plait/console"
	"github.com/plait-run/plait/test/world"
)

var (
	shared  *world.World
	address string // that the console has printed, with its token
)

func TestMain(m *testing.M) {
	os.Exit(world.Run(m, world.Part{Into: &shared, Config: cluster.Config{Pods: true}, Prepare: prepare}))
}

// prepare starts an engine and a console, and serves the group of the tests.
func prepare(ctx context.Context, w *world.World) error {
	if _, err := w.StartEngine(ctx); err != nil {
		return err
	}
	if _, err := w.Apply(ctx, "", shops); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- console.Run(ctx, console.Options{Config: w.RESTConfig(), Ready: func(url string) { ready <- url }})
	}()
	w.BeforeStop(func() error { stop(); return <-ended })
	select {
	case address = <-ready:
		return nil
	case err := <-ended:
		ended <- nil
		return fmt.Errorf("the console has ended: %w", err)
	}
}

// shops need a ConfigMap of the namespace before anything else of theirs comes up.
const shops = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: shops}
spec:
  schema: {apiVersion: v1, group: browser.example.com, kind: Shop, spec: {needs: string | default=settings}}
  resources:
  - id: settings
    externalRef: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.spec.needs}"}}
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: "${schema.metadata.name}-config"}
      data: {motto: "${settings.data.motto}"}
  - id: password
    template:
      apiVersion: v1
      kind: Secret
      metadata: {name: "${schema.metadata.name}-password", labels: {motto: "${config.metadata.name}"}}
      stringData: {word: correct-horse}
`

// refusedShops have two mistakes.
const refusedShops = `
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: refused}
spec:
  schema: {apiVersion: v1, group: browser.example.com, kind: Refused, spec: {size: integr}}
  resources:
  - id: config
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.nam}"}}
`
