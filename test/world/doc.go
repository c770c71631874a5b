// Package world is what tests and measurements on a real API server begin with: control planes, an engine, a person.
//
// The suites below test/integration, the examples, the faults and the bench call it; it is no part of the program. A
// World is one control plane with an unlimited client of an administrator. Several live side by side, for a consumer and
// its providers.
//
//	var shared *world.World
//
//	func TestMain(m *testing.M) {
//		os.Exit(world.Run(m, world.Part{Into: &shared, Config: cluster.Config{Audit: true}}))
//	}
//
//	func TestThing(t *testing.T) {
//		shared.RunEngine(t)                        // until the end of the test
//		w := shared.Space(t, "thing")              // a namespace, and what a person does there
//		w.Apply(group)
//		w.WaitStatus("ResourceGroup", "things", "state", "Active")
//		requests := shared.NewLedger(t)            // needs Config.Audit
//		w.Apply(instance)
//		w.WaitFor("Thing", "a", world.HasCondition("Ready", "True/Available"))
//		t.Log(requests.Take())
//	}
//
// Kinds are named as kubectl names them: ConfigMap, configmaps, deployments.apps. The engine runs in the test's process
// (RunEngine, StartEngine), one at a time, as the administrator or, after GrantEngine, as a user with the rights of
// docs/service-accounts.md; or it is a Process, the built binary, which can be killed. A Tenant is a Space with a service
// account of its own.
//
// Everything waits for conditions, for Patience at most, and says what was missing when that ends. Functions without a
// testing.TB return errors, and are there for programs.
package world
