// Package v1alpha1 holds the kinds of the API group plait.run in version v1alpha1, and
// every name that Plait writes where users and other programs read it: labels,
// annotations, finalizers, field managers, condition types, reasons and states.
//
// Everybody who talks to a cluster imports it. It is data only: it imports nothing but
// k8s.io/apimachinery, does no I/O and decides nothing. The CustomResourceDefinitions are
// generated from it (see package config beside this one), and the comments of types and
// fields are what `kubectl explain` prints.
//
// The Go types of a ResourceGroup know the fields of this version only, and decoding into
// them drops what they do not know. Whoever compiles, hashes or snapshots a ResourceGroup
// reads the document as the user wrote it, not these types.
//
// +kubebuilder:object:generate=true
// +groupName=plait.run
package v1alpha1
