// Package install_test installs Plait as its users do, by the chart and the kustomization, runs the engine with exactly the
// rights that they give, drains it, and starts it on objects that an earlier version has stored.
package install_test
