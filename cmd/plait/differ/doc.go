// Package differ tells what applying a ResourceGroup would change in a cluster: the API that it serves, and the objects of
// its instances.
//
// plait diff calls Compare. The API is compared as the engine does before it serves a revision (graph/crd). For each instance
// the new graph is evaluated against the objects of the cluster as the engine would (runtime), and what comes out different is
// applied by the engine's own code (dynamiccontroller/apply), but as a dry run: the API server defaults, admits and refuses,
// and keeps nothing. Dry runs are made as the service account of the instance where the user may impersonate it, else as the
// user, and the report says which. Nothing is ever written, and no value of a Secret is shown.
package differ
