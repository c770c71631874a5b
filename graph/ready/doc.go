// Package ready tells whether an object of the cluster has become what its spec asks for.
//
// The runtime asks IsReady for self.isReady() in a readyWhen; the compiler asks Knows whether that can be told at all.
// The rules are kstatus's with exceptions where "reconciled" is less than what a dependent needs: a Job is complete, a
// Service of type LoadBalancer has an address, a claim is bound, a pod has not failed, and a custom resource has
// reported something. It promises one answer for one object: it reads no clock and changes nothing.
package ready
