// Package remote is the way to provider clusters: kubeconfigs that are safe to use, clients with limits, and the proof
// of which cluster answers.
//
// The Connection controller parses a kubeconfig (Parse), connects (Connect) and puts the Provider into the Registry;
// whoever talks to a provider takes it from there. It promises that a Provider has shown to be the pinned cluster
// before anybody got it, that no call to it hangs or reads without bounds, and that it is closed when it may not be used
// any more. Credentials are never logged. It writes nothing on the provider.
package remote
