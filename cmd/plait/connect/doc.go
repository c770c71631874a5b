// Package connect makes a Connection to a provider, and waits for it.
//
// The commands plait connect and plait dev call Run. It promises that nothing is written before the kubeconfig is known to
// be one that the engine uses, that no object of somebody else is overwritten without having been asked to, and that it
// says all that it makes. With an account to be created it is the user of the kubeconfig once, at the provider; what is
// kept is a kubeconfig of the account, never the user's own.
package connect
