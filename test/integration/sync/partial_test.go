package sync_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/test/world"
)

// TestRelatedOfAnAPIThatRests has one of two APIs of a binding stop being synced for a while: what travels with its objects
// stays where they are, and goes on when it does.
func TestRelatedOfAnAPIThatRests(t *testing.T) {
	o := newOffer(t)
	second := strings.Replace(o.name, "databases", "queues", 1)
	for _, w := range []*world.World{consumer, acme} {
		crd := strings.NewReplacer("databases", "queues", "database", "queue", "Database", "Queue").Replace(
			definition(strings.TrimPrefix(o.name, "databases."), "plait.run/managed: 'true', plait.run/connection: "+o.connection(), ""))
		w.Space(t, "default").Apply(crd)
	}
	o.exports("Installed", "databases/Database", "queues/Queue")
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	apart, apartThere := o.space("-apart")
	bound := consumer.Space(t, "default")
	bound.Apply(strings.Replace(o.binding(`, relatedResources: [{resource: secrets, direction: FromProvider, selector: {names: [login]}}]`),
		"apis: [", "apis: [{name: "+second+"}, ", 1))
	for _, s := range []*world.Space{there, apartThere} {
		s.Apply("{apiVersion: v1, kind: Secret, metadata: {name: login}, stringData: {password: one}}")
	}
	here.Apply(o.database("a", "{size: 1}"))
	apart.Apply(strings.Replace(o.database("a", "{size: 1}"), "Database", "Queue", 1))
	here.WaitFor("secrets", "login", dataIs("password", "b25l"))
	copied := apart.WaitFor("secrets", "login", dataIs("password", "b25l")).GetUID()

	const definitions = "customresourcedefinitions.apiextensions.k8s.io"
	bound.Patch(definitions, second, `{"metadata":{"labels":{"plait.run/managed":null}}}`) // somebody's slip
	bound.WaitReady("ClusterBinding", o.connection(), "False/Syncing")
	here.Apply(o.database("b", "{size: 1}")) // the binding is looked at again
	there.WaitFor(o.name, "b", specIs("size", int64(1)))
	if err := world.Wait(t.Context(), 2*time.Second); err != nil {
		t.Fatal(err)
	}
	if u, err := apart.Get("secrets", "login"); err != nil || u.GetUID() != copied {
		t.Errorf("the Secret went with the API that rests: %v", err)
	}
	bound.Patch(definitions, second, `{"metadata":{"labels":{"plait.run/managed":"true"}}}`)
	bound.WaitReady("ClusterBinding", o.connection(), "True")
	apartThere.Patch("secrets", "login", `{"stringData":{"password":"two"}}`)
	apart.WaitFor("secrets", "login", dataIs("password", "dHdv"))
	apart.Remove(second, "a")
	apart.WaitGone("secrets", "login") // by now it is known that nothing needs it
}

// exports says of the Connection that it is ready and has these APIs of the offer's group, each `resource/Kind`, in a state.
func (o *offer) exports(state string, apis ...string) {
	o.t.Helper()
	group := strings.TrimPrefix(o.name, "databases.")
	var entries []string
	for _, api := range apis {
		resource, kind, _ := strings.Cut(api, "/")
		entries = append(entries, fmt.Sprintf(`{"name":"%[1]s.%[2]s","group":%[2]q,"resource":%[1]q,"kind":%[3]q,"scope":"Namespaced","versions":["v1"],"state":%[4]q}`,
			resource, group, kind, state))
	}
	body := `{"status":{"exportedAPIs":[` + strings.Join(entries, ",") + `]}}`
	_, err := consumer.Space(o.t, "default").At("connections.plait.run").Patch(o.t.Context(), o.connection(), types.MergePatchType, []byte(body), patchOptions, "status")
	if err != nil {
		o.t.Fatal(err)
	}
}
