package inspect

import "github.com/plait-run/plait/api/v1alpha1"

// Health sums a state up: what colours, orders and exit statuses go by.
type Health string

// The values of Health.
const (
	Good    Health = "good"
	Busy    Health = "busy"    // working or waiting; nothing is wrong
	Bad     Health = "bad"     // somebody has to do something
	Off     Health = "off"     // not wanted
	Unknown Health = "unknown" // nothing says how it is
)

// healths are the states of all kinds. States of different kinds that share a word mean the same.
var healths = map[string]Health{
	string(v1alpha1.StateActive):     Good,
	string(v1alpha1.StateInProgress): Busy,
	string(v1alpha1.StateError):      Bad,
	string(v1alpha1.StateFailed):     Bad,
	string(v1alpha1.StateDeleting):   Busy,

	string(v1alpha1.NodeReady):    Good,
	string(v1alpha1.NodeApplied):  Busy,
	string(v1alpha1.NodeWaiting):  Busy,
	string(v1alpha1.NodeFailed):   Bad,
	string(v1alpha1.NodeExcluded): Off,
	string(v1alpha1.NodeDeleting): Busy,

	string(v1alpha1.ResourceGroupActive):   Good,
	string(v1alpha1.ResourceGroupInactive): Bad,

	string(v1alpha1.WorkspacePhaseScheduling):  Busy,
	string(v1alpha1.WorkspacePhaseUnavailable): Bad,

	string(v1alpha1.BoundAPIBound):        Good,
	string(v1alpha1.BoundAPIPending):      Busy,
	string(v1alpha1.BoundAPIConflict):     Bad,
	string(v1alpha1.BoundAPIInvalid):      Bad,
	string(v1alpha1.BoundAPIUnsupported):  Bad,
	string(v1alpha1.BoundAPIWithdrawn):    Bad,
	string(v1alpha1.ExportedAPIAvailable): Off,
	string(v1alpha1.ExportedAPIInstalled): Good,

	stateSynced:    Good,
	stateNotReady:  Bad,
	stateNotSynced: Bad,
	stateMissing:   Bad,
	stateNew:       Busy,
	stateExists:    Good,
	stateGone:      Off,
}

// States that no status has: they are told from conditions, or from there being nothing.
const (
	stateSynced    = "Synced"
	stateNotReady  = "NotReady"
	stateNotSynced = "NotSynced" // the provider does not take it
	stateReady     = "Ready"
	stateMissing   = "Missing"
	stateNew       = "New" // nothing has looked at it yet
	stateExists    = "Exists"
	stateGone      = "Gone" // of an instance that is being deleted
)

// HealthOf gives the health of a state of any kind.
func HealthOf(state string) Health {
	if health, ok := healths[state]; ok {
		return health
	}
	return Unknown
}
